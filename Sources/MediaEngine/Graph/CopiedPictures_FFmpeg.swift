package import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore

/// Sets the times of copied pictures as a container can hold them.
///
/// Packets go in and come out in decoding order; some wait for those after them.
///
/// - Pictures that an edit list of the source hides are left out where no edit
///   list can be written and nothing needs them. Those that shown pictures are
///   predicted from have to stay, and are shown: where that does no harm for a
///   moment each, right before the first picture that is meant to be seen.
/// - No picture is decoded after it is shown, as movies with negative offsets
///   have it: all decode times move back as far as it takes, and no presentation
///   time changes.
/// - Where only decode times are stored, as in AVI, the pictures shown take them
///   in their own order.
package struct CopiedPictures {
    /// What a container can say of its pictures' times.
    package struct Form: Equatable {
        /// Whether pictures can be hidden.
        var hasEditList: Bool
        /// Whether nothing but the order of decoding is stored.
        var hasDecodeTimesOnly = false
        /// How long a picture is shown that has to be there and cannot be hidden; `nil` for its own length.
        var moment: Int64?
    }

    private struct Item {
        var packet: Packet
        var presentation: Int64
        var decode: Int64?
        var isHidden: Bool
        /// What is left of its own length; `nil` for what the source says.
        var duration: Int64?
    }

    private let form: Form
    private let disposable: DisposablePictures
    private let access: RandomAccess
    private var marks: SyncMarks
    private var held: [Item] = []
    /// Shown pictures among those held.
    private var shownCount = 0
    /// Hidden pictures before one that decoding can start with, which is shown at a time: nothing needs them, unless
    /// pictures follow that are shown before it.
    private var unneeded: (count: Int, time: Int64)?
    private var isSettled = false
    /// Whether there are no more packets to come.
    private var isEnding = false
    /// What decode times are moved back by.
    private var lag: Int64 = 0
    /// Presentation times that are no packet's decode time yet, in order.
    private var slots: [Int64] = []
    /// Hidden pictures that are in the new file, and how long they are shown in all.
    package private(set) var hiddenCount = 0

    /// How many pictures may come before one in decode order that is shown before them, in any codec.
    static let maximumReordering = 16
    /// More than any encoder puts between two entry points; bounds the memory.
    private static let maximumHeld = 1024

    package init(_ info: StreamInfo, form: Form) {
        self.form = form
        let isIntraOnly = info.video?.isIntraOnly ?? false
        disposable = DisposablePictures(codec: info.codec, extradata: info.extradata, isIntraOnly: isIntraOnly)
        access = RandomAccess(info)
        marks = SyncMarks(access)
    }

    /// Takes the next packet of the stream.
    ///
    /// - Returns: The packets that are ready.
    package mutating func add(_ packet: Packet) throws(FFmpegError) -> [Packet] {
        let packet = try marks.corrected(packet)
        guard let presentation = packet.presentationTicks else { return try finish() + [packet] }
        let isHidden = packet.isDiscarded && !form.hasEditList
        if let unneeded, presentation > unneeded.time { dropUnneeded() }
        if !isHidden { unneeded = nil }
        if isHidden, disposable.contains(packet) { return [] }
        if !isHidden, shownCount == 0, !held.isEmpty, access.kind(asCoded: packet) == .clean {
            unneeded = (held.count, presentation)
        }
        if isHidden { isSettled = false }
        held.append(
            Item(packet: packet, presentation: presentation, decode: packet.decodeTicks, isHidden: isHidden))
        if !isHidden { shownCount += 1 }
        if form.hasDecodeTimesOnly, !isHidden { insertSlot(presentation) }
        if isSettled { return try released(keeping: form.hasDecodeTimesOnly ? Self.maximumReordering : 0) }
        guard shownCount > Self.maximumReordering || held.count > Self.maximumHeld else { return [] }
        settle()
        return try released(keeping: form.hasDecodeTimesOnly ? Self.maximumReordering : 0)
    }

    /// The packets that are left at the end of the stream.
    package mutating func finish() throws(FFmpegError) -> [Packet] {
        dropUnneeded()
        // What is hidden after the last shown picture is needed by none.
        while held.last?.isHidden == true { held.removeLast() }
        isEnding = true
        settle()
        return try released(keeping: 0)
    }

    private mutating func dropUnneeded() {
        if let unneeded { held.removeFirst(min(unneeded.count, held.count)) }
        unneeded = nil
    }

    // MARK: Times

    private mutating func settle() {
        isSettled = true
        hide()
        lag = held.reduce(lag) { lag, item in
            max(lag, (item.decode ?? item.presentation).subtractingReportingOverflow(item.presentation).partialValue)
        }
    }

    /// Moves pictures that cannot be hidden to right before the first one that is shown.
    private mutating func hide() {
        let hidden = held.indices.filter { held[$0].isHidden }
        guard !hidden.isEmpty, let start = held.lazy.filter({ !$0.isHidden }).map(\.presentation).min() else { return }
        if let moment = form.moment { squeeze(hidden, around: start, moment) }
        for index in hidden {
            held[index].isHidden = false
            if form.hasDecodeTimesOnly { insertSlot(held[index].presentation) }
        }
        hiddenCount += hidden.count
        shownCount = held.count
    }

    /// Moves hidden pictures to right before the first shown picture, and those that come
    /// after the last one to right after it.
    private mutating func squeeze(_ hidden: [Int], around start: Int64, _ moment: Int64) {
        let before = hidden.filter { held[$0].presentation < start }
            .sorted { held[$0].presentation > held[$1].presentation }
        for (place, index) in before.enumerated() {
            held[index].presentation = start &- Int64(place + 1) &* moment
        }
        for index in hidden { held[index].duration = moment }
        guard isEnding, let last = held.filter({ !$0.isHidden }).max(by: { $0.presentation < $1.presentation }) else {
            return
        }
        let end = last.presentation &+ (last.packet.durationTicks ?? moment)
        let after = hidden.filter { held[$0].presentation > last.presentation }
            .sorted { held[$0].presentation < held[$1].presentation }
        for (place, index) in after.enumerated() { held[index].presentation = end &+ Int64(place) &* moment }
    }

    private mutating func insertSlot(_ time: Int64) {
        let index = slots.lastIndex { $0 <= time }.map { $0 + 1 } ?? 0
        slots.insert(time, at: index)
    }

    private mutating func released(keeping count: Int) throws(FFmpegError) -> [Packet] {
        var packets: [Packet] = []
        let ready = held.prefix(max(0, held.count - count))
        for item in ready {
            var (presentation, decode) = (item.presentation, item.decode.map { $0 &- lag })
            if form.hasDecodeTimesOnly, !slots.isEmpty {
                decode = slots.removeFirst()
                presentation = decode ?? presentation
            }
            packets.append(
                try item.packet.retimed(
                    presentation: presentation, decode: decode, duration: item.duration ?? item.packet.durationTicks,
                    isDiscarded: form.hasEditList ? nil : false))
        }
        held.removeFirst(ready.count)
        shownCount = held.count { !$0.isHidden }
        return packets
    }
}

/// Finds how much earlier than the picture of its first packet a track is shown.
///
/// Pictures that follow the first one in decoding order may precede it in presentation. They count if decoding from
/// there gives them; what refers to pictures that are not there is shown by no player.
struct LeadingPictures {
    private var pictures: ShownPictures
    private var first: Int64?
    private var least: Int64?
    private var count = 0

    /// More packets than any codec puts between a picture and those that precede it.
    private static let limit = 64

    init(_ pictures: ShownPictures) { self.pictures = pictures }

    /// Takes the stream's next packet, in decoding order.
    mutating func note(_ packet: Packet) {
        guard count < Self.limit, let ticks = packet.presentationTicks else { return }
        count += 1
        if let first, let decode = packet.decodeTicks, decode >= first {
            count = Self.limit
            return
        }
        let isShown = pictures.shows(packet)
        first = first ?? ticks
        if isShown { least = min(least ?? ticks, ticks) }
    }

    /// How much earlier it is, in ticks.
    ///
    /// - Parameters:
    ///   - start: The new file's zero, before which nothing is shown.
    ///   - stream: The stream of the demuxer that the packets came from.
    func lead(from start: Int64, of stream: Int, in demuxer: Demuxer) throws(FFmpegError) -> Int64 {
        guard let first, first > start else { return 0 }
        var shown = try demuxer.decodableLeadingTicks(pictures, stream: stream)
        if let least { shown.append(least) }
        let earliest = max(start, shown.min() ?? first)
        return max(0, first.subtractingReportingOverflow(earliest).partialValue)
    }
}

/// Chooses the pictures that stay where there are more than wanted.
struct FrameThinning {
    private let limit: FrameRateLimit?
    /// Tells which picture the first one is, where it may be any.
    private let rate: Ratio?
    private var count: Int?
    /// When the next picture is due, in units of the interval.
    private var due: Int128 = 0

    /// - Parameter rate: How many pictures there are in a second, if the first one may be any; `nil` if it is the film's first.
    init(_ limit: FrameRateLimit?, rate: Ratio? = nil) { (self.limit, self.rate) = (limit, rate) }

    /// Whether a picture stays.
    ///
    /// - Parameter time: When it is shown; later than all before it.
    mutating func keeps(_ time: CMTime) -> Bool {
        let count = count ?? number(at: time)
        defer { self.count = count + 1 }
        switch limit {
        case nil: return true
        case .oneOf(let number): return count % max(1, number) == 0
        case .atMost(let rate):
            // Quarters of the interval since zero; a picture may be early by one.
            let divisor = Int128(time.timescale) * Int128(max(1, rate.denominator))
            let position = Int128(time.value) * Int128(max(1, rate.numerator)) * 4 / max(1, divisor)
            guard position + 1 >= due else { return false }
            due = position >= due + 4 ? position + 4 : due + 4
            return true
        }
    }

    /// Which picture is shown at a time, from 0, at a fixed rate.
    private func number(at time: CMTime) -> Int {
        guard let rate, rate.value > 0 else { return 0 }
        return Int(clamping: TimeBase(numerator: rate.denominator, denominator: rate.numerator).ticks(nearest: time))
    }
}
