package import FFmpegKit
internal import MediaContainers

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
        package var moment: Int64?
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
    private let classifier: EntryClassifier
    private var held: [Item] = []
    /// Shown pictures among those held.
    private var shownCount = 0
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
    private static let maximumReordering = 16
    /// More than any encoder puts between two entry points; bounds the memory.
    private static let maximumHeld = 1024

    package init(_ info: StreamInfo, form: Form) {
        self.form = form
        let isIntraOnly = info.video?.isIntraOnly ?? false
        disposable = DisposablePictures(codec: info.codec, extradata: info.extradata, isIntraOnly: isIntraOnly)
        classifier = EntryClassifier(codec: info.codec, extradata: info.extradata, isIntraOnly: isIntraOnly)
    }

    /// Takes the next packet of the stream.
    ///
    /// - Returns: The packets that are ready.
    package mutating func add(_ packet: Packet) throws(FFmpegError) -> [Packet] {
        guard let presentation = packet.presentationTicks else { return try finish() + [packet] }
        let isHidden = packet.isDiscarded && !form.hasEditList
        if isHidden, disposable.contains(packet) { return [] }
        if !isHidden, shownCount == 0, !held.isEmpty, classifier.classify(packet) == .clean {
            // Decoding starts here: nothing needs what was hidden before.
            held.removeAll()
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
        // What is hidden after the last shown picture is needed by none.
        while held.last?.isHidden == true { held.removeLast() }
        isEnding = true
        settle()
        return try released(keeping: 0)
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
