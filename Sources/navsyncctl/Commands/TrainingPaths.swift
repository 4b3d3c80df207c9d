// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavWire

/// The paths that a dictionary is trained on, from files, directories and standard input.
enum TrainingPaths {
    /// Deeper than anybody keeps paths; keeps a directory that holds itself from being read without end.
    private static let maximumDepth = 16
    private static let maximumFileCount = 100_000

    static func read(_ places: [String]) throws(CommandFailure) -> [[PathElement]] {
        var paths: [[PathElement]] = []
        for place in places {
            for file in try files(at: place) { paths += try self.paths(in: PathInput.read(file)) }
        }
        return paths
    }

    /// One path, or one on each line.
    static func paths(in input: PathInput) throws(CommandFailure) -> [[PathElement]] {
        let lines = input.bytes.split(separator: UInt8(ascii: "\n")).filter { line in
            line.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }
        }
        guard !input.isEnvelope, lines.count > 1, let first = lines.first, isPath(first) else {
            return [try input.elements()]
        }
        var paths: [[PathElement]] = []
        for (index, line) in lines.enumerated() {
            let path = PathInput(bytes: Array(line), source: "\(input.source), path \(index + 1)", isEnvelope: false)
            paths.append(try path.elements())
        }
        return paths
    }

    private static func isPath(_ line: ArraySlice<UInt8>) -> Bool { (try? SwiftUIJSON.decode(Array(line))) != nil }

    /// The file itself, or the files below a directory in the order of their names; hidden ones are passed over.
    private static func files(at place: String, depth: Int = 0) throws(CommandFailure) -> [String] {
        var status = stat()
        guard place != "-", stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [place] }
        guard depth < maximumDepth else {
            throw CommandFailure(.badInput, "\(Display.quoted(place)): more than \(maximumDepth) directories deep")
        }
        var files: [String] = []
        for name in try names(in: place) {
            files += try self.files(at: "\(place)/\(name)", depth: depth + 1)
            guard files.count <= maximumFileCount else {
                throw CommandFailure(.tooLarge, "\(Display.quoted(place)) has more than \(maximumFileCount) files")
            }
        }
        return files
    }

    private static func names(in directory: String) throws(CommandFailure) -> [String] {
        guard let stream = opendir(directory) else {
            throw CommandFailure(.badInput, "cannot read \(Display.quoted(directory)): \(systemMessage(errno))")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
