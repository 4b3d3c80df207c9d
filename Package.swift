// swift-tools-version:6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Targets stand in the order in which data flows: see ARCHITECTURE.md.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// For targets whose unsafe code is rare: each use is marked `unsafe` or the build fails.
let strictMemory = strict + [.strictMemorySafety()]

let package = Package(
    name: "navsync",
    products: [
        .library(name: "NavWire", targets: ["NavWire"]),
        .library(name: "NavModel", targets: ["NavModel"]),
        .library(name: "NavClient", targets: ["NavClient"]),
        .executable(name: "navsyncd", targets: ["navsyncd"]),
        .executable(name: "navsyncctl", targets: ["navsyncctl"]),
        // For tests: preloaded into a program under test, so it must be a file of its own.
        .library(name: "SyscallTrace", type: .dynamic, targets: ["SyscallTrace"]),
    ],
    targets: [
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CNavLinux"),

        .target(
            name: "NavWire",
            dependencies: [.target(name: "CZstd", condition: .when(platforms: [.linux]))],
            swiftSettings: strictMemory),
        .target(name: "NavModel", dependencies: ["NavWire"], swiftSettings: strictMemory),
        .target(name: "NavSync", dependencies: ["NavWire"], swiftSettings: strictMemory),
        .target(name: "NavStore", dependencies: ["NavSync", "CSQLite"], swiftSettings: strict),
        .target(name: "NavPosix", dependencies: ["CNavLinux", "COpenSSL", "CSystemd"], swiftSettings: strict),
        .target(name: "NavClient", dependencies: ["NavWire", "NavSync", "CNavLinux"], swiftSettings: strict),
        .executableTarget(
            name: "navsyncd",
            dependencies: ["NavWire", "NavSync", "NavStore", "NavPosix"],
            swiftSettings: strict),
        .executableTarget(name: "navsyncctl", dependencies: ["NavWire", "NavClient"], swiftSettings: strict),

        .executableTarget(
            name: "storebench", dependencies: ["NavStore", "NavSync", "CSQLite"], path: "Benchmarks/storebench",
            swiftSettings: strict),
        .executableTarget(
            name: "syncbench", dependencies: ["NavSync"], path: "Benchmarks/syncbench", swiftSettings: strict),

        .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
        .executableTarget(
            name: "navbench", dependencies: ["NavWire", "CAllocationCount", "CZstd"], path: "Benchmarks/navbench",
            swiftSettings: strict),

        .target(name: "CFuzzDriver", path: "Fuzz/CFuzzDriver"),
        .executableTarget(
            name: "fuzz-path-json", dependencies: ["NavWire", "CFuzzDriver"], path: "Fuzz/PathJSON",
            swiftSettings: strict),
        .executableTarget(
            name: "fuzz-values", dependencies: ["NavWire", "CFuzzDriver"], path: "Fuzz/Values", swiftSettings: strict),
        .executableTarget(
            name: "fuzz-envelope", dependencies: ["NavWire", "CFuzzDriver"], path: "Fuzz/Envelope",
            swiftSettings: strict),
        .executableTarget(
            name: "fuzz-frames", dependencies: ["NavSync", "CFuzzDriver"], path: "Fuzz/Frames", swiftSettings: strict),
        .executableTarget(
            name: "fuzz-pairing", dependencies: ["NavSync", "CFuzzDriver"], path: "Fuzz/Pairing",
            swiftSettings: strict),

        .executableTarget(
            name: "wiredocuments", dependencies: ["NavWire"], path: "Tests/Interop/wiredocuments", swiftSettings: strict
        ),
        .testTarget(name: "NavWireTests", dependencies: ["NavWire"], swiftSettings: strict),
        .testTarget(name: "NavModelTests", dependencies: ["NavModel", "NavWire"], swiftSettings: strict),
        .testTarget(
            name: "NavStoreTests", dependencies: ["NavStore", "NavSync", "NavTestSupport", "CSQLite", "storewriter"],
            swiftSettings: strict),
        .executableTarget(
            name: "storewriter", dependencies: ["NavStore", "NavSync", "NavTestSupport"], path: "Tests/StoreWriter",
            swiftSettings: strict),
        .target(name: "SyscallTrace", path: "Tests/SyscallTrace"),
        .target(
            name: "NavTestSupport", dependencies: ["NavSync"], path: "Tests/NavTestSupport", swiftSettings: strict),
        .testTarget(name: "NavSyncTests", dependencies: ["NavSync", "NavTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "Simulation", dependencies: ["NavSync", "NavTestSupport"], path: "Tests/Simulation",
            swiftSettings: strict),
        .testTarget(name: "NavPosixTests", dependencies: ["NavPosix"], swiftSettings: strict),
        .testTarget(
            name: "NavsyncdTests",
            dependencies: ["navsyncd", "NavClient", "NavPosix", "NavStore", "NavSync", "NavTestSupport", "NavWire"],
            swiftSettings: strict),
        .testTarget(
            name: "NavClientTests", dependencies: ["NavClient", "NavSync", "NavTestSupport", "NavWire"],
            swiftSettings: strict),
        .testTarget(name: "NavsyncctlTests", dependencies: ["NavClient", "navsyncctl"], swiftSettings: strict),
        .testTarget(
            name: "IntegrationTests", dependencies: ["NavClient", "NavSync", "NavTestSupport", "NavWire"],
            swiftSettings: strict),
    ]
)
