import MediaMetadata
import MetadataFormats
import Testing

@Suite struct `Spherical video as it may be shared` {
    private static let head =
        "<?xml version=\"1.0\"?><rdf:SphericalVideo xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
        + "xmlns:GSpherical=\"http://ns.google.com/videos/1.0/spherical/\">"

    private func shareable(_ text: String) -> String? {
        SphericalVideo.shareable(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `Shared spherical video keeps its projection and loses the program's name`() {
        let kept = "<GSpherical:Spherical>true</GSpherical:Spherical><GSpherical:ProjectionType>equirectangular"
        let foot = "</GSpherical:ProjectionType><GSpherical:StitchingSoftware>"
        let end = "</GSpherical:StitchingSoftware></rdf:SphericalVideo>"
        let text = Self.head + kept + foot + "Camera 0815" + end
        #expect(shareable(text) == Self.head + kept + foot + String(repeating: " ", count: 11) + end)
    }

    @Test func `Unknown fields of shared spherical video are not kept`() {
        #expect(shareable("<?xml version=\"1.0\"?><x:xmpmeta>secret</x:xmpmeta>") == nil)
        #expect(shareable(Self.head.replacing("xmlns:rdf=", with: "secret=")) == nil)
        #expect(shareable("<GSpherical:Spherical") == nil)
    }
}
