// SPDX-License-Identifier: Apache-2.0
package import NavSync

extension StackStore {
    /// All rows of a stack that the store has, of any state, newest first: put together from looks of a few rows each.
    package func keptRows(of name: StackName, perLook rowLimit: Int = 7) throws(CommitFailure) -> [Row] {
        var store = self
        var rows: [Row] = []
        var search = VersionSearch(name: name, before: Sequence(rawValue: .max), rowLimit: rowLimit)
        while true {
            let page = try store.readVersions(search)
            for version in page.versions {
                guard let row = try store.readRow(at: version.sequence), version == KeptVersion(row) else {
                    throw .failed("version \(version) is not the row at its sequence")
                }
                rows.append(row)
            }
            guard page.hasMore, page.through < search.before else { return rows }
            search.before = page.through
        }
    }
}
