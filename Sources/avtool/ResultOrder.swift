internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Which pieces of work wait for which, because both may give a result the same name, or change the same file.
///
/// Of two results of one name, that of the file that comes first is made and the other is refused; so it must not be left
/// to chance which is tried first.
struct ResultOrder {
    /// For each piece of work, earlier ones that have to have ended.
    private(set) var before: [[Int]]

    private struct Name {
        let key: [UInt8]
        let job: Int
    }

    /// - Parameters:
    ///   - jobs: Which files each piece of work is on.
    ///   - grants: What each file's work may do.
    init(of jobs: [Range<Int>], _ grants: [FileGrants]) {
        before = Array(repeating: [], count: jobs.count)
        guard jobs.count > 1 else { return }
        var rules: [[(rule: ResultRule, job: Int)]] = []
        var changed: [FileIdentity: [Int]] = [:]
        for (job, files) in jobs.enumerated() {
            for grant in grants[files] {
                for (position, rule) in grant.results.enumerated() {
                    if position == rules.count { rules.append([]) }
                    rules[position].append((rule, job))
                }
                for identity in Set(grant.changeable.compactMap { FileIdentity(path: $0) }) {
                    changed[identity, default: []].append(job)
                }
            }
        }
        for related in changed.values { link(related) }
        for same in rules { link(namedBy: same) }
    }

    /// Has each piece of work wait for that before it.
    private mutating func link(_ related: [Int]) {
        let sorted = Set(related).sorted()
        for (earlier, later) in zip(sorted, sorted.dropFirst()) where before[later].last != earlier {
            before[later].append(earlier)
        }
    }

    /// Relates names of which one may be the other: those whose beginnings, or where these are all alike, whose ends allow
    /// for it.
    ///
    /// - Parameter rules: What one pattern makes of all files.
    private mutating func link(namedBy rules: [(rule: ResultRule, job: Int)]) {
        guard let first = rules.first?.rule else { return }
        // A folder that holds all results, and has their names in another rule.
        if first.literals.count == 1, rules.allSatisfy({ $0.rule == first }), isFolder(first.literals[0]) { return }
        let beginsAlike = rules.allSatisfy { $0.rule.literals.first == first.literals.first }
        let names = rules.map { rule, job in
            let literal = beginsAlike ? rule.literals.last : rule.literals.first
            let bytes = Array((literal ?? "").utf8)
            return Name(key: beginsAlike ? bytes.reversed() : bytes, job: job)
        }
        var related: [Int] = []
        var shortest: [UInt8]?
        // What begins with a name comes right after it.
        for name in names.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if let beginning = shortest, name.key.starts(with: beginning) {
                related.append(name.job)
            } else {
                link(related)
                (related, shortest) = ([name.job], name.key)
            }
        }
        link(related)
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
