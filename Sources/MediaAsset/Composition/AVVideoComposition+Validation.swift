public import Foundation
public import MediaCore

extension AVVideoComposition {
    /// Whether the composition can be carried out on an asset; blocks until the asset is loaded.
    ///
    /// - Parameters:
    ///   - asset: Whose duration the instructions must cover and whose tracks they may name; `nil` to compare with
    ///     none.
    ///   - timeRange: The part of the timeline that counts; from zero to positive infinity for all of it.
    ///   - validationDelegate: Hears of each finding, and may end the search; `nil` ends it at the first.
    /// - Returns: False if anything was found.
    /// - Note: AVFoundation deprecates it in favour of
    ///   ``isValid(for:assetDuration:timeRange:validationDelegate:)``.
    public func isValid(
        for asset: AVAsset?, timeRange: CMTimeRange, validationDelegate: (any AVVideoCompositionValidationHandling)?
    ) -> Bool {
        isValid(
            trackIDs: asset.map { Set($0.tracks.map(\.trackID)) }, duration: asset?.duration ?? .invalid, timeRange,
            asset: asset, validationDelegate)
    }

    /// Whether the composition can be carried out on an asset, which is loaded.
    ///
    /// Ranges are on the asset's timeline.
    ///
    /// - Parameters: As of the form that blocks.
    /// - Returns: False if anything was found.
    /// - Throws: What opening the file fails with, as `AVAsset` tells.
    public func isValid(
        for asset: AVAsset?, timeRange: CMTimeRange, validationDelegate: (any AVVideoCompositionValidationHandling)?
    ) async throws -> Bool {
        guard let asset else {
            return isValid(trackIDs: nil, duration: .invalid, timeRange, asset: nil, validationDelegate)
        }
        let (tracks, duration) = try await asset.load(.tracks, .duration)
        return isValid(
            trackIDs: Set(tracks.map(\.trackID)), duration: duration, timeRange, asset: asset, validationDelegate)
    }

    /// Whether the composition can be carried out on tracks.
    ///
    /// - Parameters:
    ///   - tracks: Those that the layers may name.
    ///   - duration: What the instructions must cover; invalid for no such demand.
    ///   - timeRange: The part of the timeline that counts; from zero to positive infinity for all of it.
    ///   - validationDelegate: Hears of each finding, and may end the search; `nil` ends it at the first. It does not
    ///     hear of tracks that are missing, since no asset is given that it could be told.
    /// - Returns: False if anything was found.
    public func isValid(
        for tracks: [AVAssetTrack], assetDuration duration: CMTime, timeRange: CMTimeRange,
        validationDelegate: (any AVVideoCompositionValidationHandling)?
    ) -> Bool {
        isValid(trackIDs: Set(tracks.map(\.trackID)), duration: duration, timeRange, asset: nil, validationDelegate)
    }

    private func isValid(
        trackIDs: Set<CMPersistentTrackID>?, duration: CMTime, _ timeRange: CMTimeRange, asset: AVAsset?,
        _ delegate: (any AVVideoCompositionValidationHandling)?
    ) -> Bool {
        let configuration = configuration
        let whole = CMTimeRange(start: .zero, duration: duration)
        let range = duration.isNumeric ? timeRange.intersection(whole) : timeRange
        let findings = configuration.findings(trackIDs: trackIDs, over: range)
            .filter { if case .foreignInstruction = $0 { false } else { true } }
        for finding in findings {
            guard let delegate, tell(delegate, finding, configuration.instructions, asset) else { break }
        }
        return findings.isEmpty
    }

    /// Tells a delegate of a finding, and asks it whether to go on.
    private func tell(
        _ delegate: any AVVideoCompositionValidationHandling, _ finding: CompositionFinding,
        _ instructions: [any AVVideoCompositionInstructionProtocol], _ asset: AVAsset?
    ) -> Bool {
        switch finding {
        case .invalidValue(let key, _):
            return delegate.videoComposition(self, shouldContinueValidatingAfterFindingInvalidValueForKey: key)
        case .gap(let range):
            return delegate.videoComposition(self, shouldContinueValidatingAfterFindingEmptyTimeRange: range)
        case .invalidTimeRange(let index):
            return delegate.videoComposition(
                self, shouldContinueValidatingAfterFindingInvalidTimeRangeIn: instructions[index])
        case .missingTrack(let index, let layer, _):
            guard let asset, let instruction = instructions[index] as? AVVideoCompositionInstruction,
                instruction.layerInstructions.indices.contains(layer)
            else { return true }
            return delegate.videoComposition(
                self, shouldContinueValidatingAfterFindingInvalidTrackIDIn: instruction,
                layerInstruction: instruction.layerInstructions[layer], asset: asset)
        case .foreignInstruction: return true
        }
    }
}

/// Hears what is wrong with a video composition while it is looked at, and says whether to go on.
///
/// Each function has a form of its own that says yes.
public protocol AVVideoCompositionValidationHandling: NSObjectProtocol {
    /// A property has a value that it cannot have.
    ///
    /// - Parameter key: The property's name, such as `renderSize`.
    /// - Returns: Whether to look for more.
    func videoComposition(
        _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool

    /// There is a time for which there is no instruction.
    ///
    /// - Returns: Whether to look for more.
    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
    ) -> Bool

    /// An instruction's range is not valid or empty, or begins before the one before it ends.
    ///
    /// - Returns: Whether to look for more.
    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol
    ) -> Bool

    /// A layer is of a track that the asset does not have.
    ///
    /// - Returns: Whether to look for more.
    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol,
        layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
    ) -> Bool
}

extension AVVideoCompositionValidationHandling {
    /// Goes on.
    public func videoComposition(
        _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool { true }

    /// Goes on.
    public func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
    ) -> Bool { true }

    /// Goes on.
    public func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol
    ) -> Bool { true }

    /// Goes on.
    public func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol,
        layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
    ) -> Bool { true }
}

/// Something that is wrong with a video composition.
enum CompositionFinding: Sendable {
    /// A property has a value that it cannot have; what is wrong with it, for people.
    case invalidValue(key: String, reason: String)
    /// There is no instruction for a range.
    case gap(CMTimeRange)
    /// The range of an instruction, by its place in the list, is not valid or empty, or begins too early.
    case invalidTimeRange(Int)
    /// A layer of an instruction, both by their places, is of a track that is not there.
    case missingTrack(instruction: Int, layer: Int, CMPersistentTrackID)
    /// An instruction, by its place, is of a class that no compositor here knows.
    case foreignInstruction(Int)
}

extension AVVideoComposition.Configuration {
    /// The longest side of a composed picture, in pixels.
    static let largestSide = 16384.0

    /// All that is wrong, in the order of properties and of times.
    ///
    /// - Parameters:
    ///   - trackIDs: The numbers of the tracks that there are; `nil` if layers need not be compared with them.
    ///   - range: What instructions must cover, and which of them are looked at.
    func findings(trackIDs: Set<CMPersistentTrackID>?, over range: CMTimeRange) -> [CompositionFinding] {
        var findings = valueFindings(trackIDs: trackIDs)
        guard range.isValid, !range.isIndefinite, range.start.isNumeric, !range.isEmpty else { return findings }
        var position = range.start
        var previousEnd: CMTime?
        for (index, instruction) in instructions.enumerated() {
            let held = instruction.timeRange
            let isValid = held.isValid && !held.isIndefinite && held.start.isNumeric && !held.isEmpty
            // Those that are not valid are looked at too: nobody knows where they lie.
            guard !isValid || (held.start < range.end && range.start < held.end) else {
                previousEnd = CMTimeMaximum(previousEnd ?? held.end, held.end)
                continue
            }
            if !isValid || previousEnd.map({ held.start < $0 }) == true { findings.append(.invalidTimeRange(index)) }
            findings += layerFindings(of: instruction, at: index, trackIDs: trackIDs)
            guard isValid else { continue }
            if position < held.start { findings.append(.gap(CMTimeRange(start: position, end: held.start))) }
            previousEnd = CMTimeMaximum(previousEnd ?? held.end, held.end)
            position = CMTimeMaximum(position, held.end)
        }
        if position < range.end, range.end.isNumeric || instructions.isEmpty {
            findings.append(.gap(CMTimeRange(start: position, end: range.end)))
        }
        return findings
    }

    /// Fails if the composition cannot be carried out.
    ///
    /// - Parameters:
    ///   - trackIDs: The numbers of the asset's video tracks.
    ///   - range: What instructions must cover.
    /// - Throws: `AVError.invalidVideoComposition` with the first finding.
    package func check(trackIDs: Set<CMPersistentTrackID>, over range: CMTimeRange) throws {
        let finding = findings(trackIDs: trackIDs, over: range).first
        let problem = instructions.isEmpty ? "there are no instructions" : finding?.description
        guard let problem else { return }
        throw AVError(.invalidVideoComposition, reason: "the video composition: \(problem)")
    }

    private func valueFindings(trackIDs: Set<CMPersistentTrackID>?) -> [CompositionFinding] {
        var findings: [CompositionFinding] = []
        func check(_ isRight: Bool, _ key: String, _ reason: String) {
            if !isRight { findings.append(.invalidValue(key: key, reason: reason)) }
        }
        let sides = 0.0..<Self.largestSide.nextUp
        check(
            renderSize.width > 0 && renderSize.height > 0 && sides.contains(renderSize.width)
                && sides.contains(renderSize.height), "renderSize",
            "renderSize is \(renderSize.width) x \(renderSize.height); both must be above 0 and at most 16384")
        check(
            frameDuration.isNumeric && frameDuration > .zero, "frameDuration",
            "frameDuration is \(frameDuration); it must be a time above zero")
        check(
            renderScale > 0 && renderScale.isFinite, "renderScale", "renderScale is \(renderScale); it must be above 0")
        let timing = sourceTrackIDForFrameTiming
        check(
            timing == kCMPersistentTrackID_Invalid || (timing > 0 && trackIDs?.contains(timing) != false),
            "sourceTrackIDForFrameTiming", "sourceTrackIDForFrameTiming is \(timing); the asset has no such track")
        return findings
    }

    private func layerFindings(
        of instruction: any AVVideoCompositionInstructionProtocol, at index: Int, trackIDs: Set<CMPersistentTrackID>?
    ) -> [CompositionFinding] {
        guard let instruction = instruction as? AVVideoCompositionInstruction else {
            return customVideoCompositorClass == nil ? [.foreignInstruction(index)] : []
        }
        guard let trackIDs else { return [] }
        return instruction.layerInstructions.map(\.trackID).enumerated().compactMap { layer, trackID in
            trackIDs.contains(trackID) ? nil : .missingTrack(instruction: index, layer: layer, trackID)
        }
    }
}

extension CompositionFinding: CustomStringConvertible {
    /// What is wrong, for people; instructions and layers are counted from 1.
    var description: String {
        switch self {
        case .invalidValue(_, let reason): reason
        case .gap(let range): "there is no instruction from \(range.start.seconds) s to \(range.end.seconds) s"
        case .invalidTimeRange(let index):
            "the time range of instruction \(index + 1) is empty, not valid, or begins before the one before it ends"
        case .missingTrack(let index, let layer, let trackID):
            "layer \(layer + 1) of instruction \(index + 1) is of track \(trackID), which the asset does not have"
        case .foreignInstruction(let index):
            "instruction \(index + 1) is no AVVideoCompositionInstruction, and no compositor is named that could carry it out"
        }
    }
}
