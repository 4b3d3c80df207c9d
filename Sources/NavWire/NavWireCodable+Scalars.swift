// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

// The scalars, so that generic code over `NavWireCodable` takes them too.

extension Bool: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.bool() }
}

extension Int: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.int() }
}

extension UInt64: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.integer() }
}

extension Double: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.double() }
}

extension Float: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.float() }
}

extension String: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.string() }
}

extension UUID: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.uuid() }
}

extension Date: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.date() }
}

extension Data: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.data() }
}

extension URL: NavWireCodable {
    public func write(to writer: inout NavWireWriter) { writer.write(self) }
    public init(from reader: NavWireReader) throws { self = try reader.url() }
}
