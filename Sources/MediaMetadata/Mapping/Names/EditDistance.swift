/// How many letters must be changed, added or left out to make one text of another.
package enum EditDistance {
    /// - Returns: More than `limit` if the distance is that.
    static func between(_ left: String, _ right: String, limit: Int) -> Int {
        let left = Array(left.utf8.prefix(64))
        let right = Array(right.utf8.prefix(64))
        guard abs(left.count - right.count) <= limit else { return limit + 1 }
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }

    /// The names that somebody may have meant, the likeliest first: those that hold the text, or that differ from it
    /// in few letters.
    package static func nearest(to text: String, among names: [String]) -> [String] {
        let wanted = text.lowercased()
        let limit = wanted.count < 4 ? 1 : wanted.count < 9 ? 2 : 3
        let ranked = names.compactMap { name -> (distance: Int, name: String)? in
            let isPart = wanted.count >= 2 && name.lowercased().contains(wanted)
            let distance = isPart ? 1 : between(wanted, name.lowercased(), limit: limit)
            return distance <= limit ? (distance, name) : nil
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
    }
}
