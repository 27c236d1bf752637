internal import MediaCore

/// Follows which earlier pictures each picture of an H.264 stream refers to
/// (ISO/IEC 14496-10, 8.2.1, 8.2.4 and 8.2.5), from slice headers alone.
///
/// Starts anew at each IDR picture. Covers progressive streams without gaps in
/// frame numbers; of anything else it says that it cannot tell.
struct H264References: PictureReferences {
    private struct Stored {
        let packet: Int64
        let frameNumber: Int
        let orderCount: Int
        var longTermIndex: UInt32?
    }

    let units: NALUnits
    private var parameters: H264ParameterTable
    private var stored: [Stored] = []
    private var hasStarted = false
    private(set) var lacksPictures = false
    private var lastReferenceNumber = 0
    private var lastFrameNumber = 0
    private var frameNumberOffset = 0
    private var lastOrderCount = (high: 0, low: 0)

    /// - Parameter extradata: The codec configuration, `avcC` or start codes.
    init(extradata: [UInt8]) {
        units = NALUnits(codec: .h264, extradata: extradata)
        parameters = H264ParameterTable(extradata: extradata)
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer, number: Int64) -> ReferringPicture? {
        lacksPictures = false
        guard let headers = headers(of: bytes), let first = headers.first else {
            hasStarted = false
            return nil
        }
        let isWhole = headers.dropFirst().allSatisfy {
            $0.firstMacroblock > 0 && $0.frameNumber == first.frameNumber && $0.isReference == first.isReference
                && $0.orderCountLow == first.orderCountLow
        }
        guard isWhole, first.firstMacroblock == 0, let sequence = parameters.sequences.values.first,
            parameters.sequences.count == 1, sequence.hasFramesOnly, sequence.orderCountType != 1,
            first.isIDR || hasStarted, first.isIDR || !headers.contains(where: \.resets),
            let orderCount = orderCount(of: first, sequence)
        else {
            hasStarted = false
            return nil
        }
        hasStarted = true
        if first.isIDR { stored.removeAll() }
        var referred: Set<Int64> = []
        for header in headers {
            guard let used = references(of: header, orderCount: orderCount, sequence) else {
                hasStarted = false
                return nil
            }
            referred.formUnion(used)
        }
        if first.isReference { mark(first, number: number, orderCount: orderCount, sequence) }
        return ReferringPicture(
            isReference: first.isReference, refersTo: referred,
            slices: headers.map { ($0.length, $0.usesCABAC) })
    }

    /// `nil` if there is a slice that cannot be read.
    private mutating func headers(of bytes: UnsafeRawBufferPointer) -> [H264SliceHeader]? {
        var result: [H264SliceHeader]? = []
        units.forEach(in: bytes) { unit in
            let type = unit[unit.startIndex] & 0x1f
            switch type {
            case 7, 8: parameters.read(unit)
            case 1, 5:
                guard let header = parameters.header(of: unit) else {
                    result = nil
                    return false
                }
                result?.append(header)
            // Data partitions, and pictures of other layers and views.
            case 2...4, 14, 20, 21:
                result = nil
                return false
            default: break
            }
            return true
        }
        return result
    }

    // MARK: Order (8.2.1)

    /// `nil` if pictures are missing before this one.
    private mutating func orderCount(of header: H264SliceHeader, _ sequence: H264SequenceParameters) -> Int? {
        let span = 1 << sequence.frameNumberBits
        if header.isIDR {
            (lastReferenceNumber, lastFrameNumber, frameNumberOffset, lastOrderCount) = (0, 0, 0, (0, 0))
        } else if header.frameNumber != lastReferenceNumber, header.frameNumber != (lastReferenceNumber + 1) % span {
            lacksPictures = hasStarted && !sequence.allowsGaps
            return nil
        }
        defer {
            lastFrameNumber = header.frameNumber
            if header.isReference { lastReferenceNumber = header.frameNumber }
        }
        if sequence.orderCountType == 2 {
            if lastFrameNumber > header.frameNumber { frameNumberOffset += span }
            let count = 2 * (frameNumberOffset + header.frameNumber)
            return header.isReference ? count : count - 1
        }
        let half = 1 << (sequence.orderCountBits - 1)
        var high = lastOrderCount.high
        if header.orderCountLow < lastOrderCount.low, lastOrderCount.low - header.orderCountLow >= half {
            high += 2 * half
        } else if header.orderCountLow > lastOrderCount.low, header.orderCountLow - lastOrderCount.low > half {
            high -= 2 * half
        }
        if header.isReference { lastOrderCount = (high, header.orderCountLow) }
        return high + header.orderCountLow + min(0, header.orderCountDelta)
    }

    // MARK: Lists (8.2.4)

    /// The packets in a slice's reference lists; `nil` if one of them is missing.
    private func references(
        of header: H264SliceHeader, orderCount: Int, _ sequence: H264SequenceParameters
    ) -> Set<Int64>? {
        guard header.lists > 0 else { return [] }
        let span = 1 << sequence.frameNumberBits
        func pictureNumber(_ picture: Stored) -> Int {
            picture.frameNumber > header.frameNumber ? picture.frameNumber - span : picture.frameNumber
        }
        let short = stored.filter { $0.longTermIndex == nil }
        let long = stored.filter { $0.longTermIndex != nil }.sorted {
            ($0.longTermIndex ?? 0) < ($1.longTermIndex ?? 0)
        }
        var lists: [[Stored]]
        if header.lists == 1 {
            lists = [short.sorted { pictureNumber($0) > pictureNumber($1) } + long]
        } else {
            let before = short.filter { $0.orderCount < orderCount }.sorted { $0.orderCount > $1.orderCount }
            let after = short.filter { $0.orderCount > orderCount }.sorted { $0.orderCount < $1.orderCount }
            lists = [before + after + long, after + before + long]
            if lists[1].count > 1, lists[0].map(\.packet) == lists[1].map(\.packet) { lists[1].swapAt(0, 1) }
        }
        var result: Set<Int64> = []
        for (index, count) in [header.active.list0, header.active.list1].prefix(header.lists).enumerated() {
            var list = Array(lists[index].prefix(count))
            var (position, predicted) = (0, header.frameNumber)
            for modification in header.modifications[index] {
                let picture: Stored?
                switch modification {
                case .longTerm(let number): picture = long.first { $0.longTermIndex == number }
                case .difference(let difference):
                    predicted = (predicted + difference + span) % span
                    let number = predicted > header.frameNumber ? predicted - span : predicted
                    picture = short.first { pictureNumber($0) == number }
                }
                guard let picture, position < count else { return nil }
                list.insert(picture, at: min(position, list.count))
                position += 1
                if let copy = list[position...].firstIndex(where: { $0.packet == picture.packet }) {
                    list.remove(at: copy)
                }
                list = Array(list.prefix(count))
            }
            result.formUnion(list.map(\.packet))
        }
        return result
    }

    // MARK: Marking (8.2.5)

    private mutating func mark(
        _ header: H264SliceHeader, number: Int64, orderCount: Int, _ sequence: H264SequenceParameters
    ) {
        let span = 1 << sequence.frameNumberBits
        func pictureNumber(_ picture: Stored) -> Int {
            picture.frameNumber > header.frameNumber ? picture.frameNumber - span : picture.frameNumber
        }
        var current = Stored(packet: number, frameNumber: header.frameNumber, orderCount: orderCount)
        if header.isIDR, header.isLongTerm { current.longTermIndex = 0 }
        for marking in header.markings ?? [] {
            switch marking {
            case .unmarkShort(let difference):
                let target = header.frameNumber - difference
                stored.removeAll { $0.longTermIndex == nil && pictureNumber($0) == target }
            case .unmarkLong(let index): stored.removeAll { $0.longTermIndex == index }
            case .makeLong(let difference, let index):
                let target = header.frameNumber - difference
                stored.removeAll { $0.longTermIndex == index }
                let position = stored.firstIndex { $0.longTermIndex == nil && pictureNumber($0) == target }
                if let position { stored[position].longTermIndex = index }
            case .limitLong(let limit): stored.removeAll { $0.longTermIndex.map { $0 >= limit } ?? false }
            case .reset: stored.removeAll()
            case .makeCurrentLong(let index):
                stored.removeAll { $0.longTermIndex == index }
                current.longTermIndex = index
            }
        }
        if header.markings == nil, !header.isIDR, stored.count >= max(1, sequence.maximumReferences) {
            let oldest = stored.indices.filter { stored[$0].longTermIndex == nil }
                .min { pictureNumber(stored[$0]) < pictureNumber(stored[$1]) }
            if let oldest { stored.remove(at: oldest) }
        }
        stored.append(current)
    }
}

extension H264References {
    /// A copy of a sample with the headers of its slices and next to nothing of their data.
    ///
    /// A decoder that gets it keeps its books as if it had got the whole: frame
    /// numbers, order, reference marking. The picture is worth nothing.
    func hollow(_ source: UnsafeRawBufferPointer, _ picture: ReferringPicture) -> [UInt8]? {
        var slices = picture.slices[...]
        var bytes: [UInt8] = []
        units.forEach(in: source) { unit in
            let isSlice = [1, 5].contains(unit[unit.startIndex] & 0x1f)
            let kept = isSlice ? slices.popFirst().map { Self.hollow(unit, $0.headerBits, $0.usesCABAC) } : nil
            let content = kept ?? Array(unit)
            units.append(content, to: &bytes)
            return true
        }
        return bytes
    }

    /// A slice whose data end at once.
    ///
    /// FFmpeg's decoder must fail between macroblocks: in the middle of one that
    /// is coded by CAVLC, it would leave coefficients behind for the next picture.
    private static func hollow(_ unit: Slice<UnsafeRawBufferPointer>, _ headerBits: Int, _ usesCABAC: Bool) -> [UInt8] {
        let bytesOfHeader = (headerBits + 7) / 8
        // A CABAC slice is looked at after each macroblock; what is left of the data makes a few.
        // Bytes against start codes lengthen a header by half at most.
        if usesCABAC { return Array(unit.prefix(1 + bytesOfHeader + bytesOfHeader / 2 + 24)) }
        var payload = NALUnits.payload(of: unit, limit: bytesOfHeader)
        guard payload.count == bytesOfHeader, let first = unit.first else { return Array(unit) }
        if headerBits % 8 != 0 { payload[bytesOfHeader - 1] &= 0xff << UInt8(8 - headerBits % 8) }
        // 2^20, as an Exp-Golomb code: a run of skipped macroblocks, or a type, that no picture has; and the stop bit.
        var position = headerBits
        for bit in [Int](repeating: 0, count: 20) + [1] + [Int](repeating: 0, count: 19) + [1, 1] {
            if position / 8 == payload.count { payload.append(0) }
            if bit == 1 { payload[position / 8] |= 0x80 >> UInt8(position % 8) }
            position += 1
        }
        return [first] + NALUnits.escaped(payload)
    }
}
