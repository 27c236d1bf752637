internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// One of the times that were asked for, and where it lies in a film.
struct RequestedTime {
    /// As it was asked for.
    let text: String
    /// Its place, or why it has none.
    let place: Result<CMTime, any Error>
}

/// The times that were asked for, with those that have no place in the film.
struct RequestedTimes {
    /// A time that has no place in the film.
    struct Failure {
        let index: Int
        let text: String
        let error: any Error
    }

    /// The places in the film, in the order in which they were asked for.
    let times: [CMTime]
    /// Which request each place belongs to, counted from 0.
    let indices: [Int]
    let failures: [Failure]
    /// Why there may be more, at times that nothing tells; `nil` if there is no reason to think so.
    let truncation: String?

    /// How many there are with those of other processes.
    let count: Int

    init(_ times: [CMTime], truncation: String? = nil) {
        (self.times, indices, failures) = (times, Array(times.indices), [])
        (self.truncation, count) = (truncation, times.count)
    }

    /// One share of them, by their order in the film, in which stills are told of.
    ///
    /// What has no place in the film is the first one's, as it is told of first; what is not known of the end is the last one's.
    init(_ all: RequestedTimes, _ piece: WorkPiece) {
        let sorted = all.times.indices.sorted { (all.times[$0], $0) < (all.times[$1], $1) }
        let wanted = sorted[piece.range(of: sorted.count)].sorted()
        (times, indices, count) = (wanted.map { all.times[$0] }, wanted.map { all.indices[$0] }, all.count)
        failures = piece.index == 0 ? all.failures : []
        truncation = piece.index == piece.count - 1 ? all.truncation : nil
    }

    init(_ requests: [RequestedTime]) {
        var (times, indices, failures): ([CMTime], [Int], [Failure]) = ([], [], [])
        for (index, request) in requests.enumerated() {
            switch request.place {
            case .success(let time):
                times.append(time)
                indices.append(index)
            case .failure(let error): failures.append(Failure(index: index, text: request.text, error: error))
            }
        }
        (self.times, self.indices, self.failures) = (times, indices, failures)
        (truncation, count) = (nil, requests.count)
    }
}

extension AVURLAsset {
    /// The times of a list, each with its place or the reason why it has none.
    ///
    /// - Throws: What keeps every time from being found.
    func loadTimes(_ list: TimeList) async throws -> [RequestedTime] {
        var requests: [RequestedTime] = []
        for (text, time) in list.entries {
            let place: Result<CMTime, any Error>
            do {
                place = .success(try await loadTime(of: time))
            } catch let error as TimeExpressionError {
                place = .failure(error)
            } catch let error as AVError where error.code == .noImageAtTime {
                place = .failure(error)
            }
            requests.append(RequestedTime(text: text, place: place))
        }
        return requests
    }
}
