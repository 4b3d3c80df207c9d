// SPDX-License-Identifier: Apache-2.0

/// The home of all types that have the name of a SwiftUI type.
///
/// Where SwiftUI can be imported, they have only this qualified name, so nothing collides. Elsewhere each has its plain
/// name as well, so code written against SwiftUI reads the same.
public enum NavTwin {}

#if !canImport(SwiftUI)
public typealias NavigationPath = NavTwin.NavigationPath
#endif
