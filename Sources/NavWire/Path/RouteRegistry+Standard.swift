// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension RouteRegistry {
    /// Swift's and Foundation's own types, under the names that Apple systems write.
    public static let standard = RouteRegistry(routes: swiftTypes + foundationTypes)

    private static let swiftTypes: [Route] = [
        route(Bool.self), route(String.self), route(Double.self), route(Float.self), route(Int.self), route(UInt.self),
        route(Int8.self), route(Int16.self), route(Int32.self), route(Int64.self), route(Int128.self),
        route(UInt8.self), route(UInt16.self), route(UInt32.self), route(UInt64.self), route(UInt128.self),
        route(Duration.self), route(Range<Int>.self), route(ClosedRange<Int>.self),
    ]

    private static let foundationTypes: [Route] = [
        route(UUID.self), route(URL.self), route(Date.self), route(Data.self), route(Decimal.self),
        route(DateComponents.self), route(DateInterval.self), route(TimeZone.self), route(Locale.self),
        route(Calendar.self), route(IndexPath.self),
    ]

    private static func route<Value: Codable & Hashable>(_ type: Value.Type) -> Route {
        TypedRoute<Value>(tag: RouteName.standard(of: type), redaction: .none, migrate: nil)
    }
}
