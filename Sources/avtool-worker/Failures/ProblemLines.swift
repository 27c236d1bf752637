/// What is wrong with a damaged file's metadata, for people: one thing, and how much more there is.
///
/// A file can have a hundred such flaws, and whoever gives the command hundreds of files.
func problemLines(_ problems: [String]) -> [String] {
    guard problems.count > 2, let first = problems.first else { return problems }
    return [first, "and \(problems.count - 1) more problems, which 'metadata show --json' lists"]
}
