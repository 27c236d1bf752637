internal import MediaCore

extension Demuxer {
    /// Whether the container's index lists samples of a stream after those that were read.
    package func indexGoesOn(ofStream index: Int) -> Bool {
        guard let last = lastIndexTicks(ofStream: index) else { return false }
        return last > reachedTicks(ofStream: index)
    }

    /// How far a stream has been read, in the times that the container's index goes by.
    private func reachedTicks(ofStream index: Int) -> Int64 {
        listsSamples ? progress.decodeTicks(ofStream: index) : progress.ticks(ofStream: index)
    }

    /// Whether the container's index lists each sample by its decode time, not entry points by when they are shown.
    private var listsSamples: Bool { container.isMovie || container == .avi }

    /// Why a stream that was read to the end of the file is not whole, `nil` if nothing tells that it is not.
    package func truncation(ofStream index: Int) -> String? {
        if indexGoesOn(ofStream: index) { return "samples that the index lists are missing" }
        if let complaint = progress.complaint { return complaint.reason }
        return progress.endsIncomplete(stream: index) ? "its last packet is not whole" : nil
    }

    /// What is said of a file that ends too early, with why it is known to.
    package static func cutShort(_ reason: String) -> String { "the file is cut short: \(reason)" }

    /// How many samples of a stream the container's index lists that are to be shown, `nil` if it does not list each one.
    package func listedSampleCount(ofStream index: Int) -> Int? {
        guard listsSamples else { return nil }
        let count = indexEntries(ofStream: index).count { !$0.isHidden }
        return count > 0 ? count : nil
    }

    /// When the sync samples of a stream are to be shown that the container's index lists after what was read.
    ///
    /// - Parameter delay: By how much decode times precede presentation times, in ticks.
    package func listedSyncTicks(afterThoseReadOfStream index: Int, delay: Int64) -> [Int64] {
        let reached = reachedTicks(ofStream: index)
        return indexEntries(ofStream: index).filter { $0.isKey && !$0.isHidden && $0.ticks > reached }
            .map { listsSamples ? $0.ticks.addingReportingOverflow(delay).partialValue : $0.ticks }
    }
}
