// SPDX-License-Identifier: Apache-2.0
import Glibc
import NavSync
import NavTestSupport

/// A daemon of a few lines that a test scripts: it accepts connections on a Unix socket and answers as it is told.
///
/// Each connection is served on a thread of its own by `serve`, which gets the bytes' other end as a `Line`.
final class FakeDaemon: Sendable {
    let path: String
    private let directory: String
    private let listener: Int32

    init(serve: @escaping @Sendable (Line) -> Void) {
        var template = Array("/tmp/navclient-test-XXXXXX".utf8CString)
        directory = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
        path = directory + "/s"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        precondition(bound == 0 && listen(listener, 16) == 0)
        let descriptor = listener
        Self.detach {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                Self.detach { serve(Line(connection)) }
            }
            // Closed by the one who accepts: a number that was closed elsewhere may be another daemon's by now.
            close(descriptor)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        unlink(path)
        rmdir(directory)
    }

    /// Answers hello, then each message by `answer`; nil ends the connection.
    static func answering(_ answer: @escaping @Sendable (Message, Line) -> [UInt8]?) -> FakeDaemon {
        FakeDaemon { line in
            line.greet()
            while let message = line.receive() {
                guard let bytes = answer(message, line) else { return }
                line.send(bytes)
            }
        }
    }

    private static func detach(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
        pthread_detach(thread)
    }

    /// One accepted connection.
    final class Line: Sendable {
        private let descriptor: Int32
        private let cutter = Locked(FrameCutter())

        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }

        func greet(incarnation: UInt64 = 1) {
            _ = receive()
            send(FakeDaemon.hello(incarnation: incarnation).frame)
        }

        func send(_ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }

        /// The next message, waiting for it; nil when the connection ended or sent what is no message.
        func receive() -> Message? {
            while true {
                let message = cutter.withLock { cutter -> Message?? in
                    do throws(SyncError) {
                        guard let frame = try cutter.next(limit: 2 << 20) else { return .none }
                        return .some(try Message(reading: frame))
                    } catch {
                        return .some(nil)
                    }
                }
                if let message { return message }
                var piece = [UInt8](repeating: 0, count: 65_536)
                let count = recv(descriptor, &piece, piece.count, 0)
                guard count > 0 else { return nil }
                cutter.withLock { $0.append(piece[..<count]) }
            }
        }

        /// Waits until the other end is gone.
        func waitForEnd() { while receive() != nil {} }
    }

    static func hello(incarnation: UInt64 = 1) -> Hello {
        Hello(
            role: .peer, node: NodeID(high: 1, low: 2), incarnation: Incarnation(rawValue: incarnation),
            startCounter: 1, nonce: 1, wallMilliseconds: 0, isSynchronised: true, floor: .zero, software: "fake/1")
    }

    static let stamp = Stamp(time: HybridTime(milliseconds: 1_000), origin: NodeID(high: 1, low: 2))

    static let stampText = "0000000003e80000@" + stamp.origin.text

    static func record(_ name: String, sequence: UInt64, _ content: WireRecord.Content) throws -> WireRecord {
        WireRecord(
            sequence: Sequence(rawValue: sequence), name: try StackName(name), stamp: stamp, writeCount: 1, base: nil,
            content: content)
    }
}
