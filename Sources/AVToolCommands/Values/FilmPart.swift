package import MediaCore

/// A part of a film, as it was asked for: from one time up to another.
package struct FilmPart: Codable, Sendable {
    package let from: Written<TimeExpression>?
    package let to: Written<TimeExpression>?

    package init(from: Written<TimeExpression>?, to: Written<TimeExpression>?) { (self.from, self.to) = (from, to) }
}
