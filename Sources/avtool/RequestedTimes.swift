internal import OpenAVFoundation

extension AVURLAsset {
    /// The times that the expressions of a list, separated by commas, stand for.
    func loadTimes(_ list: String, duration: CMTime, timescale: CMTimeScale) async throws -> [CMTime] {
        var times: [CMTime] = []
        for expression in try TimeExpression.parseList(list) {
            if case .frame(let number) = expression {
                times.append(try await loadTime(ofFrame: number))
            } else {
                times.append(try expression.resolve(duration: duration, timescale: timescale) { _ in .invalid })
            }
        }
        return times
    }
}
