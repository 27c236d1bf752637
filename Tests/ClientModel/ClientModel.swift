// Types of an application that its other modules import: each has the name of one of ours.

/// A chapter of a book that was filmed.
public struct Chapter: Equatable, Sendable {
    /// What it is called.
    public var title: String
    /// Makes one.
    public init(title: String) { self.title = title }
}

/// A picture taken on the set.
public struct Still: Equatable, Sendable {
    /// What is written under it.
    public var caption: String
    /// Makes one.
    public init(caption: String) { self.caption = caption }
}

/// A row of the application's library.
public struct MediaItem: Equatable, Sendable {
    /// What it is called.
    public var title: String
    /// Its chapters.
    public var chapters: [Chapter]
    /// The picture that stands for it.
    public var poster: Still?
    /// How large it is shown.
    public var size: PixelSize
    /// Makes one.
    public init(title: String, chapters: [Chapter], poster: Still?, size: PixelSize) {
        (self.title, self.chapters, self.poster, self.size) = (title, chapters, poster, size)
    }
}

/// A size on the screen.
public struct PixelSize: Equatable, Sendable {
    /// Points across.
    public var width: Int
    /// Points down.
    public var height: Int
    /// Makes one.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A file that is written at once.
public struct AtomicFile: Sendable {
    /// Where it is.
    public var path: String
    /// Makes one.
    public init(path: String) { self.path = path }
}

/// The application's notes beside a film.
public struct MetadataFile: Sendable {
    /// The notes.
    public var lines: [String]
    /// Makes one.
    public init(lines: [String]) { self.lines = lines }
}

/// What is to be exported when.
public struct ExportPlan: Sendable {
    /// What is to be exported.
    public var names: [String]
    /// Makes one.
    public init(names: [String]) { self.names = names }
}

/// A time as the application's users write it.
public enum TimeExpression: Equatable, Sendable {
    /// So many minutes.
    case minutes(Int)
}

/// A colour of the application.
public struct RGBColor: Equatable, Sendable {
    /// The share of red.
    public var red: Double
    /// Makes one.
    public init(red: Double) { self.red = red }
}

/// The shape of a window.
public enum AspectRatio: Equatable, Sendable {
    /// 16 to 9, and 1 to 1.
    case wide, square
}

/// What plays the application's own sounds; Apple has another of this name, which is not offered here.
public struct AVPlayer: Equatable, Sendable {
    /// What it plays.
    public var sounds: [String]
    /// Makes one.
    public init(sounds: [String]) { self.sounds = sounds }
}
