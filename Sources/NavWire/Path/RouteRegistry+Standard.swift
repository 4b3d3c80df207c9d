// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension RouteRegistry {
    /// Swift's and Foundation's own types, under the names that Apple systems write.
    ///
    /// Sets of `Decimal`, `Data`, `URL` and `DateInterval` are not among them: see <doc:UntrustedInput>.
    public static let standard = RouteRegistry(routes: swiftTypes + foundationTypes)

    private static let swiftTypes: [Route] = [
        route(Bool.self), route(String.self), route(Double.self), route(Float.self), route(Int.self), route(UInt.self),
        route(Int8.self), route(Int16.self), route(Int32.self), route(Int64.self), route(Int128.self),
        route(UInt8.self), route(UInt16.self), route(UInt32.self), route(UInt64.self), route(UInt128.self),
        route(Duration.self), route(Range<Int>.self), route(ClosedRange<Int>.self),
    ]

    private static let foundationTypes: [Route] = [
        route(UUID.self), route(Date.self), route(IndexPath.self),
        route(DateComponents.self), route(TimeZone.self), route(Locale.self), route(Calendar.self),
        // All decimals of one Double have one hash, all data with the same first bytes, and all URLs of one relative part,
        // and an interval from NaN is not equal to itself: what strangers write into a set of these takes time by its square.
        route(Data.self, hasSets: false), route(Decimal.self, hasSets: false), route(DateInterval.self, hasSets: false),
        route(URL.self, hasSets: false),
    ]

    private static func route<Value: Codable & Hashable>(_ type: Value.Type, hasSets: Bool = true) -> Route {
        TypedRoute<Value>(tag: RouteName.standard(of: type), redaction: .none, migrate: nil, hasSets: hasSets)
    }
}
