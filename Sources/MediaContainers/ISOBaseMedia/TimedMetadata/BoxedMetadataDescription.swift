internal import MediaIO

/// What a track of boxed metadata says of its samples: the keys that their values have.
///
/// Source: ISO/IEC 14496-12, multiplexed metadata; QuickTime File Format, timed metadata media.
package struct BoxedMetadataDescription: Hashable, Sendable {
    package private(set) var keys: [BoxedMetadataKey] = []
    /// Where keys are by their numbers; of several with one number the first counts.
    private var places: [UInt32: Int] = [:]

    /// The type of such sample descriptions.
    package static let type: FourCC = "mebx"
    /// What comes before the boxes of a sample description.
    private static let fields = 8
    /// More keys than these are damage.
    private static let maximumKeys = 4096

    /// A description of its keys.
    package init(keys: [BoxedMetadataKey]) { for key in keys { append(key) } }

    /// Adds a key at the end.
    package mutating func append(_ key: BoxedMetadataKey) {
        if places[key.localID] == nil { places[key.localID] = keys.count }
        keys.append(key)
    }

    /// The key of a number.
    package subscript(localID: UInt32) -> BoxedMetadataKey? { places[localID].map { keys[$0] } }

    /// Reads a sample description; `nil` for one of another kind.
    package init?(_ entry: SampleEntry) {
        guard entry.type == Self.type, entry.content.count >= Self.fields else { return nil }
        let reader = BoxReader(file: RandomAccessFile(bytes: Array(entry.content.dropFirst(Self.fields))))
        let table = reader.boxes(in: 0..<reader.file.byteCount).first { $0.type == "keys" }
        guard let table else { return nil }
        self.init(
            keys: reader.boxes(in: table.content).prefix(Self.maximumKeys).compactMap { BoxedMetadataKey($0, reader) })
    }

    /// The sample description.
    package var entry: SampleEntry {
        // Six bytes that mean nothing, then the first of the data references.
        SampleEntry(type: Self.type, content: [0, 0, 0, 0, 0, 0, 0, 1] + .box("keys", keys.flatMap(\.box)))
    }

    // MARK: Samples

    /// A value in a sample.
    package struct Value: Hashable, Sendable {
        /// The key's number.
        package var localID: UInt32
        package var bytes: [UInt8]

        package init(localID: UInt32, bytes: [UInt8]) { (self.localID, self.bytes) = (localID, bytes) }
    }

    /// The values in a sample.
    ///
    /// Damage ends them; what has no number means nothing.
    package static func values(in sample: [UInt8]) -> [Value] {
        let reader = BoxReader(file: RandomAccessFile(bytes: sample))
        return reader.boxes(in: 0..<reader.file.byteCount).filter { $0.type.rawValue != 0 }.map {
            Value(localID: $0.type.rawValue, bytes: reader.bytes(of: $0, limit: .max))
        }
    }

    /// A sample of values; one of none, which says that nothing holds any more, is a box that means nothing.
    package static func sample(of values: [Value]) -> [UInt8] {
        guard !values.isEmpty else { return .box(.none, []) }
        return values.flatMap { [UInt8].box(FourCC(rawValue: $0.localID), $0.bytes) }
    }
}
