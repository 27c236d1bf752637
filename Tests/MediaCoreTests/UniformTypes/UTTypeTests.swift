import MediaCore
import Testing

/// The conformances are those of Apple's list of system-declared types.
@Suite struct `Uniform types` {
    @Test func `A uniform type conforms to its supertypes at any distance`() {
        let names = Set(UTType.mpeg4Movie.supertypes.map(\.identifier))
        #expect(names.isSuperset(of: ["public.movie", "public.audiovisual-content", "public.data", "public.item"]))
        #expect(!names.contains("public.mpeg-4"))
        #expect(UTType.mpeg4Movie.conforms(to: .movie) && UTType.mpeg4Movie.isSubtype(of: .data))
        #expect(!UTType.mpeg4Movie.conforms(to: .image) && !UTType.movie.isSubtype(of: .mpeg4Movie))
    }
}
