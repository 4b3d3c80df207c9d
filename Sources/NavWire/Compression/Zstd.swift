// SPDX-License-Identifier: Apache-2.0

import CZstd

/// One zstd frame, without what an envelope says already: no magic number, no size, no checksum, no dictionary id.
enum Zstd {
    /// zstd's contexts are dear to make and each serves one caller at a time.
    private static let compressors = unsafe ScratchPool { unsafe SendableBox(makeCompressor()) }
    private static let decompressors = unsafe ScratchPool { unsafe SendableBox(makeDecompressor()) }

    /// `ZSTD_c_format` and `ZSTD_d_format`, which zstd.h names for static linking only, with the value
    /// `ZSTD_f_zstd1_magicless`.
    private static let magicless: Int32 = 1

    static let levels = 1...19

    private static func makeCompressor() -> OpaquePointer? {
        let context = unsafe ZSTD_createCCtx()
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_experimentalParam2, magicless)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0)
        return unsafe context
    }

    private static func makeDecompressor() -> OpaquePointer? {
        let context = unsafe ZSTD_createDCtx()
        unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_experimentalParam1, magicless)
        return unsafe context
    }

    /// Compresses `source` into `target`; the bytes written, or nil when they would not be fewer than `limit`.
    ///
    /// `boundary` is where the source changes its kind, from texts to structure: in a large one each part gets blocks,
    /// and so statistics, of its own.
    static func compress(
        _ source: UnsafeRawBufferPointer, boundary: Int, level: Int, dictionary: DictionaryContexts?,
        into target: UnsafeMutableRawBufferPointer, limit: Int
    ) -> Int? {
        let state = unsafe compressors.take()
        defer { unsafe compressors.give(state) }
        guard let context = unsafe state.pointee.value, limit > 0 else { return nil }
        unsafe ZSTD_CCtx_reset(context, ZSTD_reset_session_only)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(truncatingIfNeeded: level))
        unsafe ZSTD_CCtx_refCDict(context, dictionary?.forCompression(level: level))
        unsafe ZSTD_CCtx_setPledgedSrcSize(context, UInt64(truncatingIfNeeded: source.count))
        var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
        var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: min(target.count, limit), pos: 0)
        if source.count >= blocksPayFrom, boundary > 0, boundary < source.count {
            unsafe input.size = boundary
            guard unsafe ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush) == 0 else { return nil }
            unsafe input.size = source.count
        }
        guard unsafe ZSTD_compressStream2(context, &output, &input, ZSTD_e_end) == 0, unsafe output.pos < limit else {
            return nil
        }
        return unsafe output.pos
    }

    /// Below this the two more headers cost more than they gain.
    private static let blocksPayFrom = 4096

    /// Decompresses a frame that gives exactly `target.count` bytes. Nothing is reserved beyond `target`, whatever the
    /// frame says of its window, since the whole output is the window.
    static func decompress(
        _ source: UnsafeRawBufferPointer, dictionary: DictionaryContexts?, into target: UnsafeMutableRawBufferPointer
    ) throws(NavWireError) {
        if let fault = unsafe ZstdFrame.fault(source, contentByteCount: target.count) { throw damaged("\(fault)") }
        let state = unsafe decompressors.take()
        defer { unsafe decompressors.give(state) }
        guard let context = unsafe state.pointee.value else { throw damaged("zstd has no memory") }
        unsafe ZSTD_DCtx_refDDict(context, dictionary?.forDecompression())
        let result = unsafe ZSTD_decompressDCtx(
            context, target.baseAddress, target.count, source.baseAddress, source.count)
        if ZSTD_isError(result) != 0 { throw unsafe damaged(String(cString: ZSTD_getErrorName(result))) }
        guard result == target.count else {
            throw damaged("\(result) bytes where the envelope says \(target.count)")
        }
    }

    private static func damaged(_ why: String) -> NavWireError {
        NavWireError(code: .malformed, reason: "the compressed payload cannot be read: \(why)")
    }
}
