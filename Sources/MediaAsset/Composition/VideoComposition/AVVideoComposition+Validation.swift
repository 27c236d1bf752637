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
