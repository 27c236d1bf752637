internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// Which frames of a film become stills.
enum StillChoice: Codable, Sendable {
    case times(Written<TimeList>)
    case every(Written<Length>)
    /// So many, spread evenly.
    case even(Int)
    case keyframes
    case scenes(SceneDetectionSettings.Method)

    /// The times of the frames.
    ///
    /// - Parameter shots: The scenes, where those decide.
    func times(of asset: AVURLAsset, in part: FilmPart, _ shots: SceneList?) async throws -> RequestedTimes {
        let description = try await asset.loadDescription()
        guard description.videoTrack != nil else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        let range = try await part.range(of: asset)
        switch self {
        case .scenes:
            let times = (shots?.middles ?? []).filter { range?.containsTime($0) ?? true }
            guard !times.isEmpty else { throw AVError(.noImageAtTime, reason: "no shot lies in that part") }
            return RequestedTimes(times)
        case .keyframes: return try await Self.syncTimes(of: asset, in: range)
        case .every(let step):
            let times = try Self.times(every: try step.time(), until: range?.duration ?? description.duration)
            return RequestedTimes(times.map { (range?.start ?? .zero) + $0 })
        case .even(let count): return RequestedTimes(try description.evenTimes(count, in: range))
        case .times(let list): return RequestedTimes(try await asset.loadTimes(list.get()))
        }
    }

    /// The times of the sync samples, with those that an index lists and a file that is cut short does not hold.
    private static func syncTimes(of asset: AVURLAsset, in range: CMTimeRange?) async throws -> RequestedTimes {
        let list = try await asset.loadSyncSamples()
        let times = (list.times + list.missingTimes).filter { range?.containsTime($0) ?? true }
        guard !times.isEmpty else {
            let place = range == nil ? "the video" : "that part"
            throw AVError(.noImageAtTime, reason: "there is no sync sample in \(place)")
        }
        // A part that ends before the cut is whole, and what is known to be missing is said for each.
        let reachesCut = range.map { $0.end > list.lastFrameTime ?? .zero } ?? true
        let isTold = !list.missingTimes.isEmpty || !reachesCut
        return RequestedTimes(times, truncation: isTold ? nil : list.truncation)
    }

    private static func times(every step: CMTime, until duration: CMTime) throws -> [CMTime] {
        guard duration.isNumeric else { throw Failure(.noDuration, "the file does not tell its duration") }
        var times: [CMTime] = []
        var time = CMTime.zero
        while time < duration {
            times.append(time)
            guard times.count <= 1_000_000 else { throw Failure(.limitReached, "more than 1000000 stills") }
            time = time + step
        }
        return times.isEmpty ? [.zero] : times
    }
}
