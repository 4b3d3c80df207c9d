// SPDX-License-Identifier: Apache-2.0

/// Columns by number, whether SQLite reads them or we do.
protocol RowColumns {
    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    /// The bytes of a column, none for NULL and numbers. Valid inside `body` only.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension RowColumns {
    func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }
}

extension Statement: RowColumns {
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(bytes(column))
    }
}
