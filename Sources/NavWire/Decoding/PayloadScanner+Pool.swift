// SPDX-License-Identifier: Apache-2.0

extension PayloadScanner {
    /// The warm scanners of the process.
    static let pool = ScratchPool { PayloadScanner() }

    /// Puts a scanner back. Nobody looks at its tape any more.
    static func close(_ scanner: UnsafeMutablePointer<PayloadScanner>) {
        unsafe scanner.pointee.end()
        unsafe pool.give(scanner)
    }
}
