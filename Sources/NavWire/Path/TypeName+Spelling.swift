// SPDX-License-Identifier: Apache-2.0

extension TypeName {
    /// The name as Apple systems spell it, so that both systems' spellings of one type are equal.
    ///
    /// On Linux Foundation's types live in modules of other names, and C types that Apple imports are Swift's own.
    /// Memory addresses of private contexts are dropped.
    package var canonical: TypeName {
        var name = TypeName(components: components.map(\.canonical), extensionModule: extensionModule)
        if let module = extensionModule, Spelling.foundationModules.contains(module) {
            name.extensionModule = Spelling.foundation
        }
        guard components.count > 1, case .named(let module, []) = name.components[0] else { return name }
        if Spelling.foundationModules.contains(module) {
            name.components[0] = .named(Spelling.foundation, arguments: [])
        }
        if case .named(let type, let arguments) = name.components[1], Spelling.owningModules.contains(module),
            let apple = Spelling.importedTypes[type]
        {
            name.components[0] = .named(apple.module, arguments: [])
            name.components[1] = .named(apple.name, arguments: arguments)
        }
        return name
    }

    /// A tag as Apple systems can read it. Only what no Apple system can have written is changed.
    package static func portable(_ tag: String) -> String {
        guard Spelling.foundationModules.contains(where: tag.contains), let name = TypeName(tag), !name.isPrivate else {
            return tag
        }
        return name.canonical.description
    }

    /// The name as the Linux toolchain spells it: what `String(reflecting:)` gives here.
    package var linuxSpelling: TypeName {
        var name = self
        name.components = components.map { component in
            guard case .named(let text, let arguments) = component else { return component }
            return .named(text, arguments: arguments.map(\.linuxSpelling))
        }
        guard name.components.count > 1, case .named(let module, []) = name.components[0],
            case .named(let type, let arguments) = name.components[1]
        else { return name }
        if let linux = Spelling.linuxNames["\(module).\(type)"] {
            name.components[0] = .named(linux.module, arguments: [])
            name.components[1] = .named(linux.name, arguments: arguments)
        }
        return name
    }

    /// The name with its leading components `old` replaced, in generic arguments too. Whole components are compared; the
    /// last one replaced keeps its arguments. One component is a module, so a bare name is no match for it.
    package func replacing(_ old: [String], by new: [String]) -> TypeName {
        var name = TypeName(
            components: components.map { $0.replacing(old, by: new) }, extensionModule: extensionModule)
        if let module = extensionModule, [module] == old, new.count == 1 { name.extensionModule = new[0] }
        let matches =
            components.count >= max(old.count, 2) && zip(components, old).allSatisfy { $0.identifier == $1 }
        guard matches, !old.isEmpty, let last = new.last else { return name }
        var renamed: [Component] = new.map { .named($0, arguments: []) }
        if case .named(_, let arguments) = name.components[old.count - 1] {
            renamed[renamed.count - 1] = .named(last, arguments: arguments)
        }
        name.components.replaceSubrange(..<old.count, with: renamed)
        return name
    }
}

extension TypeName.Component {
    fileprivate var canonical: Self {
        switch self {
        case .anonymous: .anonymous(address: nil)
        case .named(let name, let arguments): .named(name, arguments: arguments.map(\.canonical))
        }
    }

    fileprivate func replacing(_ old: [String], by new: [String]) -> Self {
        guard case .named(let name, let arguments) = self else { return self }
        return .named(name, arguments: arguments.map { $0.replacing(old, by: new) })
    }

    fileprivate var identifier: String? {
        guard case .named(let name, _) = self else { return nil }
        return name
    }
}

/// Where the two systems' names of one type differ.
private enum Spelling {
    static let foundation = "Foundation"
    static let foundationModules: Set<String> = ["FoundationEssentials", "FoundationInternationalization"]
    /// The modules that may hold a type of ``importedTypes``, on any system and in any release.
    static let owningModules: Set<String> = [
        "__C", "CoreFoundation", "CoreGraphics", "Foundation", "FoundationEssentials",
    ]

    /// By the name on Linux and by the name on Apple systems: what Apple systems write.
    static let importedTypes: [String: (module: String, name: String)] = {
        var types: [String: (module: String, name: String)] = [
            "CGFloat": ("CoreGraphics", "CGFloat"), "Decimal": ("__C", "NSDecimal"), "NSDecimal": ("__C", "NSDecimal"),
            "_NSRange": ("__C", "_NSRange"), "NSRange": ("__C", "_NSRange"),
        ]
        for name in ["CGPoint", "CGSize", "CGRect", "CGVector", "CGAffineTransform"] { types[name] = ("__C", name) }
        for unit in units {
            types["Unit" + unit] = ("__C", "NSUnit" + unit)
            types["NSUnit" + unit] = ("__C", "NSUnit" + unit)
        }
        return types
    }()

    /// By the name on Apple systems: where the Linux toolchain has the type.
    static let linuxNames: [String: (module: String, name: String)] = {
        var names: [String: (module: String, name: String)] = [:]
        for (name, apple) in importedTypes where !name.hasPrefix("NS") {
            names["\(apple.module).\(apple.name)"] = (foundation, name)
        }
        let essentials = [
            "AttributedString", "Calendar", "Data", "Date", "DateComponents", "DateInterval", "IndexPath", "Locale",
            "TimeZone", "URL", "URLComponents", "URLQueryItem", "UUID",
        ]
        for name in essentials { names["\(foundation).\(name)"] = ("FoundationEssentials", name) }
        names["__C.NSDecimal"] = ("FoundationEssentials", "Decimal")
        return names
    }()

    /// Foundation's dimensions, classes that Swift sees without their prefix.
    private static let units = [
        "", "Acceleration", "Angle", "Area", "ConcentrationMass", "Dispersion", "Duration", "ElectricCharge",
        "ElectricCurrent", "ElectricPotentialDifference", "ElectricResistance", "Energy", "Frequency", "FuelEfficiency",
        "Illuminance", "InformationStorage", "Length", "Mass", "Power", "Pressure", "Speed", "Temperature", "Volume",
    ]
}
