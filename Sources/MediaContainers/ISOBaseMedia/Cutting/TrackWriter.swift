internal import MediaIO

/// Writes a track's box anew around its new sample tables.
struct TrackWriter {
    let track: MovieTrack
    let reader: BoxReader
    let conversion: BrandConversion
    /// The tracks that are still there to be referred to, and their new numbers.
    let newIDs: [UInt32: UInt32]
    /// Whether the track becomes one that players show, if it is none.
    var enables = false

    /// The track's box.
    ///
    /// - Parameters:
    ///   - edits: The new edit list; empty for none, `nil` for the old one.
    ///   - duration: In the movie's timescale; `nil` for the old one.
    func node(
        tables: [MovieNode], mediaDuration: UInt64, edits: [EditList.Segment]?, duration: UInt64?
    ) throws(MovieError) -> MovieNode {
        let media = try mediaNode(tables: tables, mediaDuration: mediaDuration, isWhole: edits == nil)
        var children: [MovieNode] = []
        for box in track.children {
            switch box.type {
            case "tkhd":
                children.append(.bytes(trackHeader(duration)))
            case "edts": if edits == nil { children.append(verbatim(box)) }
            case "tref": children += references()
            case "mdia":
                if let edits, !edits.isEmpty { children.append(.bytes(EditList(edits).box)) }
                children.append(media)
            case "meta":
                try MovieItems.check(content(box))
                children.append(.bytes(conversion.metadata(content(box))))
            default: children.append(verbatim(box))
            }
        }
        return .container("trak", children)
    }

    private func trackHeader(_ duration: UInt64?) -> [UInt8] {
        var header = track.header
        if enables { header.enable() }
        if let duration {
            header.duration = duration
            if let id = newIDs[track.id] { header.trackID = id }
        }
        return header.box
    }

    private func mediaNode(
        tables: [MovieNode], mediaDuration: UInt64, isWhole: Bool
    ) throws(MovieError) -> MovieNode {
        var children: [MovieNode] = []
        for box in track.mediaBoxes {
            switch box.type {
            case "mdhd" where !isWhole || track.isTimescaleImplied:
                guard var header = track.mediaHeader, header.isWhole else {
                    throw MovieError(.damaged, "its media header is cut off")
                }
                header.timescale = track.timescale
                header.duration = mediaDuration
                children.append(.bytes(header.box))
            case "hdlr": children.append(.bytes(conversion.handler(handler(box), component: "mhlr")))
            case "minf": children.append(informationNode(tables))
            default: children.append(verbatim(box))
            }
        }
        return .container("mdia", children)
    }

    /// A handler box's content; text becomes subtitles, which players take `tx3g` for.
    private func handler(_ box: Box) -> [UInt8] {
        var bytes = content(box)
        if TextConversion.applies(to: track, conversion), bytes.count >= 12 {
            bytes.replaceSubrange(8..<12, with: ("sbtl" as FourCC).bytes)
        }
        return bytes
    }

    private func informationNode(_ tables: [MovieNode]) -> MovieNode {
        var children: [MovieNode] = []
        for box in track.informationBoxes {
            switch box.type {
            case "stbl": children.append(.container("stbl", tables.map(converted)))
            // QuickTime's data handler has no place in MP4.
            case "hdlr": if !conversion.isNeeded { children.append(verbatim(box)) }
            case "gmhd":
                // What QuickTime's header for other media says beyond that is not needed by the entries MP4 can hold.
                children.append(
                    conversion.isNeeded ? .bytes(.box("nmhd", [0, 0, 0, 0])) : verbatim(box))
            case "dinf":
                children.append(
                    conversion.isNeeded
                        ? .bytes(conversion.dataInformation(references: references(in: box))) : verbatim(box))
            default: children.append(verbatim(box))
            }
        }
        return .container("minf", children)
    }

    /// A table as the target's family has it.
    private func converted(_ table: MovieNode) -> MovieNode {
        guard conversion.isNeeded, case .bytes(let bytes) = table, bytes.fourCC(at: 4) == "stsd" else {
            return table
        }
        if TextConversion.applies(to: track, conversion) {
            return .bytes(.box("stsd", TextConversion.descriptions(track)))
        }
        guard track.handler == "soun" else { return table }
        return .bytes(conversion.soundDescriptions(Array(bytes.dropFirst(8))))
    }

    private func references(in box: Box) -> Int {
        let count = reader.box(["dref"], in: box.content).flatMap { reader.bytes(of: $0, limit: 8).bigEndian32(at: 4) }
        return Int(min(count ?? 1, 1024))
    }

    /// The references to tracks that are still there.
    private func references() -> [MovieNode] {
        let nodes = track.references.compactMap { reference -> MovieNode? in
            let ids = reference.tracks.compactMap { newIDs[$0] }
            guard !ids.isEmpty else { return nil }
            return .bytes(TrackReference(type: reference.type, tracks: ids).box)
        }
        return nodes.isEmpty ? [] : [.container("tref", nodes)]
    }

    private func content(_ box: Box) -> [UInt8] { reader.bytes(of: box, limit: .max) }

    private func verbatim(_ box: Box) -> MovieNode { .bytes(reader.wholeBytes(of: box)) }
}
