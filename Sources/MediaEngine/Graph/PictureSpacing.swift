/// Finds out how long each picture is shown: until the one after it.
///
/// Where pictures must not come closer than some ticks, one that is shown for
/// less gives way to the one after it, which then comes that much earlier. All
/// others keep their times, so nothing adds up.
package struct PictureSpacing<Picture> {
    package struct Spaced {
        package var picture: Picture
        package var ticks: Int64
        package var duration: Int64
    }

    private let shortest: Int64
    /// Those whose end may still change; as many as the last one may have to be fitted in with.
    private var waiting: [(picture: Picture, ticks: Int64)] = []
    private var interval: Int64
    /// Pictures that gave way.
    private(set) var dropped = 0

    /// - Parameter shortest: How many ticks lie between two pictures at least.
    package init(shortest: Int64 = 1) { (self.shortest, interval) = (max(1, shortest), max(1, shortest)) }

    /// Takes the next picture.
    ///
    /// - Returns: The one whose length is known by that.
    package mutating func add(_ picture: Picture, at ticks: Int64) -> Spaced? {
        if let last = waiting.last {
            guard ticks >= last.ticks + shortest else {
                waiting[waiting.count - 1].picture = picture
                dropped += 1
                return nil
            }
            interval = ticks - last.ticks
        }
        waiting.append((picture, ticks))
        guard waiting.count > (shortest > 1 ? 2 : 1) else { return nil }
        return first(until: waiting[1].ticks)
    }

    /// Takes the end of the last picture; `nil` if it is not known.
    ///
    /// A last picture that would be too short begins earlier instead of ending later.
    ///
    /// - Returns: Those that remain.
    package mutating func finish(at end: Int64?) -> [Spaced] {
        guard let last = waiting.last else { return [] }
        let end = end ?? last.ticks + interval
        if waiting.count > 1, end < last.ticks + shortest {
            waiting.removeLast()
            if end - shortest >= waiting[0].ticks + shortest {
                waiting.append((last.picture, end - shortest))
            } else {
                waiting[0].picture = last.picture
                dropped += 1
            }
        }
        var result: [Spaced] = []
        while waiting.count > 1 { result.append(first(until: waiting[1].ticks)) }
        return result + [first(until: max(end, waiting[0].ticks + shortest))]
    }

    private mutating func first(until end: Int64) -> Spaced {
        let (picture, ticks) = waiting.removeFirst()
        return Spaced(picture: picture, ticks: ticks, duration: end - ticks)
    }
}
