internal import Foundation
package import MediaCore
package import MediaMetadata
internal import Synchronization

/// Work that is done on a thread of its own, with everything that it alone uses.
package protocol Stage: SendableMetatype {
    /// What is known in the end.
    associatedtype Outcome: Sendable

    func run() throws -> Outcome
}

/// What a stage has found out, once it has ended well.
package final class StageOutcome<Value: Sendable>: Sendable {
    private let found = Mutex<Value?>(nil)

    /// `nil` before the stage has ended, and if it has failed.
    var value: Value? { found.withLock { $0 } }

    fileprivate func set(_ value: Value?) { found.withLock { $0 = value } }
}

/// The threads of one run.
final class StageThreads: Sendable {
    private let cancellation: Cancellation
    private let group = DispatchGroup()

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    /// Hands a stage to a thread of its own, where it runs; what it throws stops all.
    @discardableResult
    func start<Work: Stage>(_ name: String, _ stage: sending Work) -> StageOutcome<Work.Outcome> {
        let owned = Mutex<Work?>(stage)
        let outcome = StageOutcome<Work.Outcome>()
        let (cancellation, group) = (cancellation, group)
        group.enter()
        WorkThread.start(name: name, stackByteCount: 2 << 20) {
            do { outcome.set(try owned.withLock { try $0?.run() }) } catch { cancellation.cancel(because: error) }
            // What the stage owns is gone when the group is told.
            owned.withLock { $0 = nil }
            group.leave()
        }
        return outcome
    }

    func wait() { group.wait() }
}

/// How far a pipeline is.
package struct PipelineProgress: Sendable, Equatable {
    /// The time reached on the new file's timeline by all its tracks of
    /// pictures and sound.
    package var time: CMTime
    /// Bytes of the new file that were written so far.
    package var byteCount: UInt64
    /// Pictures encoded so far.
    var frames: Int
    /// Which pass over the pictures it is, from 1 on.
    package var pass: Int
}

/// What a pipeline made.
package struct PipelineResult: Sendable, Equatable {
    package struct Track: Sendable, Equatable {
        package var packets = 0
        /// Pictures or samples that were encoded, zero for passthrough.
        package var frames = 0
        var byteCount: UInt64 = 0
        /// When the first sample is shown and the last one ends, on the new
        /// file's timeline; before zero for what an edit list hides.
        package var start: CMTime?
        package var end: CMTime?
        /// Times of coded samples that were moved to be in order.
        package var repairedTimes = 0
        /// Pictures, or pieces of sound, that were decoded with errors.
        var damagedFrames = 0
        /// Pictures left out because another one has the same time, or comes too soon for the kind of file.
        package var droppedFrames = 0
        /// Pictures that the source hides by its edit list, and that are shown because others need them.
        package var unhiddenPictures = 0
        /// Samples at the beginning of copied sound that the source has decoders leave out and the new file cannot.
        package var leadInSamples: Int64 = 0
        /// What its subtitles had that the new form has not.
        package var lostStyling: Set<SubtitleStyling> = []
        /// How much earlier it is shown than the picture of its first packet.
        package var lead = CMTime.zero
        /// Samples of silence put where sound is missing, and samples left out
        /// where it overlaps.
        package var filledSamples = 0
        package var overlappingSamples = 0
        /// How loud it was, where it was to become as loud as said.
        var loudness: TrackLoudness?
        /// How loud it has become where peaks were held down.
        var reachedLoudness: TrackLoudness?
    }

    /// What was kept, on the timeline of the source's container.
    package var range: CMTimeRange
    /// In the job's order.
    package var tracks: [Track]
    var byteCount: UInt64
    /// Why the source ended before its end; `nil` if it did not.
    package var earlyEnd: String?
    /// How often the source's times jumped, where they go on without a jump now.
    package var jumps = 0
    /// How many tracks the source has that began when it was read already.
    var lateTracks = 0
    /// What was overwritten among coded samples, for a file that is to be shared.
    package var removed: [PrivateDetail] = []
    /// Where the pieces of a join have come to lie.
    package var places: [JoinedPlace] = []
}

extension PipelineResult {
    /// What is imperfect in the new file, one line each.
    package var warnings: [String] {
        var lines = earlyEnd.map { [$0] } ?? []
        if lateTracks > 0 {
            lines.append(
                "tracks that begin later in the file than it could be looked into were left out: \(lateTracks)")
        }
        if jumps > 0 { lines.append("recordings were joined whose times jump: \(jumps)") }
        for (index, place) in places.enumerated() where place.lead > .zero {
            lines.append(
                "piece \(index + 1) begins \(place.lead.secondsText()) s earlier than asked for, with a keyframe")
        }
        for (index, track) in tracks.enumerated() {
            func tell(_ count: Int, _ what: String) {
                if count > 0 { lines.append("track \(index + 1): \(what): \(count)") }
            }
            tell(track.damagedFrames, "decoded with errors")
            tell(track.droppedFrames, "pictures left out that come too close to another one")
            tell(track.repairedTimes, "times of coded samples put in order")
            if let reached = track.reachedLoudness {
                lines.append("track \(index + 1): peaks above -1 dBTP were held down; it is \(reached.text) now")
            }
            if track.loudness?.isSilence == true {
                lines.append("track \(index + 1): silence, or too short to be measured, which stays as loud as it is")
            }
        }
        return lines
    }
}
