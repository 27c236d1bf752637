public import Foundation
package import MediaContainers
public import MediaCore
public import SampleBuffers

extension CMFormatDescription {
    /// What decoders of H.264 and HEVC are set up with; `nil` for other samples, and where it is not known.
    package var decoderSets: ParameterSets? { mediaType == .video ? kept("sets") { readSets() } : nil }

    private func readSets() -> ParameterSets? {
        for (name, codec) in [("avcC", Codec.h264), ("hvcC", .hevc)] {
            guard case .dictionary(let atoms) = extensions.values[Extensions.atoms], case .data(let data) = atoms[name]
            else { continue }
            return ParameterSets(configuration: [UInt8](data), of: codec)
        }
        return nil
    }

    /// The parameter sets of H.264 and HEVC: units with their headers, of HEVC those of video first, then those of
    /// sequences, of pictures, and others; empty for other samples, and where they are not known.
    public var parameterSets: [Data] { decoderSets?.units.map { Data($0) } ?? [] }

    /// How many bytes the lengths of units have that H.264 and HEVC have in movies: 1, 2 or 4; 0 for other samples.
    public var nalUnitHeaderLength: Int { decoderSets?.lengthSize ?? 0 }

    /// A description of H.264.
    ///
    /// - Parameters:
    ///   - h264ParameterSets: Units with their headers, at least one of sequences and one of pictures.
    ///   - nalUnitHeaderLength: Bytes of the length that each unit of a sample begins with: 1, 2 or 4.
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` in the domain of status codes.
    public convenience init(h264ParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
        try self.init(h264ParameterSets.map { [UInt8]($0) }, of: .h264, lengthSize: nalUnitHeaderLength, [:])
    }

    /// A description of HEVC.
    ///
    /// - Parameters:
    ///   - hevcParameterSets: Units with their headers, at least one of video, one of sequences and one of pictures.
    ///   - nalUnitHeaderLength: Bytes of the length that each unit of a sample begins with: 1, 2 or 4.
    ///   - extensions: What else the description says.
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` in the domain of status codes.
    public convenience init(
        hevcParameterSets: [Data], nalUnitHeaderLength: Int = 4, extensions: Extensions = [:]
    ) throws {
        try self.init(hevcParameterSets.map { [UInt8]($0) }, of: .hevc, lengthSize: nalUnitHeaderLength, extensions)
    }

    fileprivate convenience init(
        _ units: [[UInt8]], of codec: Codec, lengthSize: Int, _ extensions: Extensions
    ) throws {
        guard let sets = ParameterSets(units, of: codec, lengthSize: lengthSize), sets.canBeTold,
            sets.configuration != nil,
            let type = codec.fourCharacterCode()
        else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMFormatDescriptionError_InvalidParameter))
        }
        var all = extensions
        all.add(sets)
        self.init(
            mediaType: .video, mediaSubType: MediaSubType(rawValue: type),
            dimensions: CMVideoDimensions(
                width: Int32(clamping: sets.size.width), height: Int32(clamping: sets.size.height)), extensions: all)
    }
}

extension CMFormatDescription.Extensions {
    fileprivate static let atoms = String(describing: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)

    /// Says what decoders are set up with.
    mutating func add(_ sets: ParameterSets) {
        guard let bytes = sets.configuration else { return }
        var atoms: [String: PropertyListValue] = [:]
        if case .dictionary(let known) = values[Self.atoms] { atoms = known }
        atoms[sets.codec == .h264 ? "avcC" : "hvcC"] = .data(Data(bytes))
        values[Self.atoms] = .dictionary(atoms)
    }
}

/// Makes a description of H.264.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - parameterSetCount: At least two: of sequences and of pictures.
///   - parameterSetPointers: Units with their headers, without start codes.
///   - parameterSetSizes: Bytes of each.
///   - nalUnitHeaderLength: Bytes of the length that each unit of a sample begins with: 1, 2 or 4.
///   - formatDescriptionOut: Is given the description, nothing if it fails.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
    parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    make(formatDescriptionOut, parameterSetCount, parameterSetPointers, parameterSetSizes) { units in
        try CMFormatDescription(units, of: .h264, lengthSize: Int(nalUnitHeaderLength), [:])
    }
}

/// Makes a description of HEVC.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - parameterSetCount: At least three: of video, of sequences and of pictures.
///   - parameterSetPointers: Units with their headers, without start codes.
///   - parameterSetSizes: Bytes of each.
///   - nalUnitHeaderLength: Bytes of the length that each unit of a sample begins with: 1, 2 or 4.
///   - extensions: By the keys of Core Media; what no property list can hold is refused.
///   - formatDescriptionOut: Is given the description, nothing if it fails.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
    parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.initialize(to: nil)
    guard case .dictionary(let stated) = PropertyListValue(extensions ?? NSDictionary()) else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    return make(formatDescriptionOut, parameterSetCount, parameterSetPointers, parameterSetSizes) { units in
        try CMFormatDescription(
            units, of: .hevc, lengthSize: Int(nalUnitHeaderLength), CMFormatDescription.Extensions(values: stated))
    }
}

private func make(
    _ out: UnsafeMutablePointer<CMFormatDescription?>, _ count: Int, _ pointers: UnsafePointer<UnsafePointer<UInt8>>,
    _ sizes: UnsafePointer<Int>, _ body: ([[UInt8]]) throws -> CMFormatDescription
) -> OSStatus {
    out.initialize(to: nil)
    guard (1...512).contains(count), (0..<count).allSatisfy({ (0...(1 << 16)).contains(sizes[$0]) }) else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    out.initialize(to: try? body((0..<count).map { Array(UnsafeBufferPointer(start: pointers[$0], count: sizes[$0])) }))
    return out.pointee == nil ? kCMFormatDescriptionError_InvalidParameter : noErr
}

/// A parameter set of H.264 by its place among them, sets of sequences first.
///
/// - Parameters:
///   - parameterSetIndex: From 0.
///   - parameterSetPointerOut: Is given the unit with its header, which lasts as long as the description.
///   - parameterSetSizeOut: Is given its bytes.
///   - parameterSetCountOut: Is given how many there are.
///   - nalUnitHeaderLengthOut: Is given the bytes of the length that each unit of a sample begins with.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`) where there is no such set, or the description
///   is of something else.
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
    parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    find(
        .h264, videoDesc, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut,
        nalUnitHeaderLengthOut)
}

/// A parameter set of HEVC by its place among them: of video, of sequences, of pictures, others.
///
/// - Parameters:
///   - parameterSetIndex: From 0.
///   - parameterSetPointerOut: Is given the unit with its header, which lasts as long as the description.
///   - parameterSetSizeOut: Is given its bytes.
///   - parameterSetCountOut: Is given how many there are.
///   - nalUnitHeaderLengthOut: Is given the bytes of the length that each unit of a sample begins with.
/// - Returns: As ``CMVideoFormatDescriptionGetH264ParameterSetAtIndex(_:parameterSetIndex:parameterSetPointerOut:parameterSetSizeOut:parameterSetCountOut:nalUnitHeaderLengthOut:)``.
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
    parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    find(
        .hevc, videoDesc, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut, parameterSetCountOut,
        nalUnitHeaderLengthOut)
}

private func find(
    _ codec: Codec, _ description: CMFormatDescription, _ index: Int,
    _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
    _ count: UnsafeMutablePointer<Int>?, _ lengthSize: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    guard let sets = description.decoderSets, sets.codec == codec else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    count?.pointee = sets.units.count
    lengthSize?.pointee = Int32(clamping: sets.lengthSize)
    guard sets.units.indices.contains(index) else { return kCMFormatDescriptionError_InvalidParameter }
    pointer?.pointee = description.lend("set \(index)") { sets.units[index] }.assumingMemoryBound(to: UInt8.self)
    size?.pointee = sets.units[index].count
    return noErr
}
