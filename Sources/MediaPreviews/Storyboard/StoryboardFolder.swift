/// The files of a storyboard's folder.
enum StoryboardFolder {
    static let page = "index.html"
}
