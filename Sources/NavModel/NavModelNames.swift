// SPDX-License-Identifier: Apache-2.0
public import NavWire

// Where SwiftUI can be imported these names are its own, and ours are reached as NavTwin.NavigationLink and so on.
// Elsewhere code written against SwiftUI reads the same.
#if !canImport(SwiftUI)
public typealias Binding = NavTwin.Binding
public typealias ForEach = NavTwin.ForEach
public typealias Group = NavTwin.Group
public typealias HStack = NavTwin.HStack
public typealias LazyHStack = NavTwin.LazyHStack
public typealias LazyVStack = NavTwin.LazyVStack
public typealias List = NavTwin.List
public typealias LocalizedStringKey = NavTwin.LocalizedStringKey
public typealias NavigationLink = NavTwin.NavigationLink
public typealias NavigationSplitView = NavTwin.NavigationSplitView
public typealias NavigationSplitViewColumn = NavTwin.NavigationSplitViewColumn
public typealias NavigationSplitViewVisibility = NavTwin.NavigationSplitViewVisibility
public typealias NavigationStack = NavTwin.NavigationStack
public typealias ScrollView = NavTwin.ScrollView
public typealias Section = NavTwin.Section
public typealias Tab = NavTwin.Tab
public typealias TabView = NavTwin.TabView
public typealias Text = NavTwin.Text
public typealias VStack = NavTwin.VStack
public typealias ZStack = NavTwin.ZStack
#endif

// Foundation has this type on Apple systems. The Linux toolchain may have it one day: then this line goes, and the type
// stays reachable as NavTwin.LocalizedStringResource.
#if !canImport(Darwin)
public typealias LocalizedStringResource = NavTwin.LocalizedStringResource
#endif
