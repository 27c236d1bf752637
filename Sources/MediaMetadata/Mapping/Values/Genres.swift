/// Genres that files name by a number: those of ID3v1 (0–79), and Winamp's additions to it (80–191).
///
/// Beyond AVFoundation.
public enum Genres {
    private static let table = """
        Blues, Classic Rock, Country, Dance, Disco, Funk, Grunge, Hip-Hop, Jazz, Metal, New Age, Oldies, Other,
        Pop, R&B, Rap, Reggae, Rock, Techno, Industrial, Alternative, Ska, Death Metal, Pranks, Soundtrack,
        Euro-Techno, Ambient, Trip-Hop, Vocal, Jazz+Funk, Fusion, Trance, Classical, Instrumental, Acid, House,
        Game, Sound Clip, Gospel, Noise, Alt. Rock, Bass, Soul, Punk, Space, Meditative, Instrumental Pop,
        Instrumental Rock, Ethnic, Gothic, Darkwave, Techno-Industrial, Electronic, Pop-Folk, Eurodance, Dream,
        Southern Rock, Comedy, Cult, Gangsta Rap, Top 40, Christian Rap, Pop/Funk, Jungle, Native American,
        Cabaret, New Wave, Psychedelic, Rave, Showtunes, Trailer, Lo-Fi, Tribal, Acid Punk, Acid Jazz, Polka,
        Retro, Musical, Rock & Roll, Hard Rock, Folk, Folk-Rock, National Folk, Swing, Fast-Fusion, Bebop,
        Latin, Revival, Celtic, Bluegrass, Avantgarde, Gothic Rock, Progressive Rock, Psychedelic Rock,
        Symphonic Rock, Slow Rock, Big Band, Chorus, Easy Listening, Acoustic, Humour, Speech, Chanson, Opera,
        Chamber Music, Sonata, Symphony, Booty Bass, Primus, Porn Groove, Satire, Slow Jam, Club, Tango, Samba,
        Folklore, Ballad, Power Ballad, Rhythmic Soul, Freestyle, Duet, Punk Rock, Drum Solo, A Cappella,
        Euro-House, Dance Hall, Goa, Drum & Bass, Club-House, Hardcore, Terror, Indie, BritPop, Afro-Punk,
        Polsk Punk, Beat, Christian Gangsta Rap, Heavy Metal, Black Metal, Crossover, Contemporary Christian,
        Christian Rock, Merengue, Salsa, Thrash Metal, Anime, JPop, Synthpop, Abstract, Art Rock, Baroque,
        Bhangra, Big Beat, Breakbeat, Chillout, Downtempo, Dub, EBM, Eclectic, Electro, Electroclash, Emo,
        Experimental, Garage, Global, IDM, Illbient, Industro-Goth, Jam Band, Krautrock, Leftfield, Lounge,
        Math Rock, New Romantic, Nu-Breakz, Post-Punk, Post-Rock, Psytrance, Shoegaze, Space Rock, Trop Rock,
        World Music, Neoclassical, Audiobook, Audio Theatre, Neue Deutsche Welle, Podcast, Indie Rock, G-Funk,
        Dubstep, Garage Rock, Psybient
        """

    /// Other spellings under which the list is in use.
    private static let aliases = [
        "AlternRock": 40, "Alternative Rock": 40, "Gangsta": 59, "Psychadelic": 67, "Fast Fusion": 84,
        "Hardcore Techno": 129, "Jpop": 146, "J-Pop": 146, "Hip Hop": 7, "Lo Fi": 71, "Drum and Bass": 127,
    ]

    /// The names, each at its number, from 0 on.
    public static let names: [String] = table.split { $0 == "," || $0.isNewline }.compactMap { name in
        let name = name.drop { $0 == " " }
        return name.isEmpty ? nil : String(name)
    }

    private static let numbers: [String: Int] = {
        var numbers: [String: Int] = [:]
        for (number, name) in names.enumerated() { numbers[name.lowercased()] = number }
        for (name, number) in aliases where numbers[name.lowercased()] == nil { numbers[name.lowercased()] = number }
        return numbers
    }()

    /// The genre of a number in ID3's list, counted from 0; `nil` for 192 and above, of which 255 means none.
    public static func name(of number: Int) -> String? { names.indices.contains(number) ? names[number] : nil }

    /// The number of a genre in ID3's list, counted from 0, whatever the case of its letters; `nil` for a name that is
    /// not in the list.
    public static func number(of name: String) -> Int? { numbers[name.lowercased()] }

    /// The genre of an iTunes `gnre` value, which is one more than ID3's number; `nil` for 0 and above 192.
    public static func name(ofITunes value: Int) -> String? { value < 1 ? nil : name(of: value - 1) }
}
