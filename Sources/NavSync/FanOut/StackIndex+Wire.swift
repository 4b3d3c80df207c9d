// SPDX-License-Identifier: Apache-2.0

/// Live rows as records on the wire, written straight from the index: the same bytes as `WireRecord.write`.
extension StackIndex {
    /// A row whose envelope is held, or a tombstone, or a row without its envelope.
    func writeRecord(_ slot: Int, withoutEnvelope: Bool, to bytes: inout [UInt8]) {
        if slots[slot].isTombstone {
            writeHead(slot, kind: WireRecord.tombstoneKind, to: &bytes)
        } else if !withoutEnvelope, let envelope = envelopeBytes(ofSlot: slot) {
            writeRecord(slot, envelope: envelope, to: &bytes)
        } else {
            writeHead(slot, kind: WireRecord.omittedKind, to: &bytes)
            bytes.appendVarint(UInt64(slots[slot].envelopeByteCount))
        }
    }

    func writeRecord(_ slot: Int, envelope: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        writeHead(slot, kind: WireRecord.envelopeKind, to: &bytes)
        bytes.appendCounted(envelope)
    }

    private func writeHead(_ slot: Int, kind: UInt8, to bytes: inout [UInt8]) {
        let base = base(ofSlot: slot)
        bytes.append(kind | (base == nil ? 0 : WireRecord.baseBit))
        bytes.appendVarint(slots[slot].sequence)
        bytes.appendCounted(nameBytes(ofSlot: slot))
        if let stamp = stamp(ofSlot: slot) { bytes.appendStamp(stamp) }
        bytes.appendVarint(slots[slot].writeCount)
        if let base { bytes.appendStamp(base) }
    }
}
