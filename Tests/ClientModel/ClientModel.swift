// Types of an application that its other modules import: each has the name of one of ours.

/// A chapter of a book that was filmed.
public struct Chapter: Equatable, Sendable {
    public var title: String
    public init(title: String) { self.title = title }
}

/// A picture taken on the set.
public struct Still: Equatable, Sendable {
    public var caption: String
    public init(caption: String) { self.caption = caption }
}

/// A row of the application's library.
public struct MediaItem: Equatable, Sendable {
    public var title: String
    public var chapters: [Chapter]
    public var poster: Still?
    public var size: PixelSize
    public init(title: String, chapters: [Chapter], poster: Still?, size: PixelSize) {
        (self.title, self.chapters, self.poster, self.size) = (title, chapters, poster, size)
    }
}

/// A size on the screen.
public struct PixelSize: Equatable, Sendable {
    public var width: Int
    public var height: Int
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A file that is written at once.
public struct AtomicFile: Sendable {
    public var path: String
    public init(path: String) { self.path = path }
}

/// The application's notes beside a film.
public struct MetadataFile: Sendable {
    public var lines: [String]
    public init(lines: [String]) { self.lines = lines }
}

/// What is to be exported when.
public struct ExportPlan: Sendable {
    public var names: [String]
    public init(names: [String]) { self.names = names }
}

/// A time as the application's users write it.
public enum TimeExpression: Equatable, Sendable { case minutes(Int) }

/// A colour of the application.
public struct RGBColor: Equatable, Sendable {
    public var red: Double
    public init(red: Double) { self.red = red }
}

/// The shape of a window.
public enum AspectRatio: Equatable, Sendable { case wide, square }
