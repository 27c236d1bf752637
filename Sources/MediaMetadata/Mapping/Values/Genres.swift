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

/// Genres of the iTunes Store, which `geID` names by a number.
///
/// Beyond AVFoundation.
public enum StoreGenres {
    private static let tables = [
        "Music": """
        2 Blues, 3 Comedy, 4 Children's Music, 5 Classical, 6 Country, 7 Electronic, 8 Holiday,
        10 Singer/Songwriter, 11 Jazz, 12 Latino, 13 New Age, 14 Pop, 15 R&B/Soul, 16 Soundtrack,
        17 Dance, 18 Hip-Hop/Rap, 19 World, 20 Alternative, 21 Rock, 22 Christian & Gospel,
        23 Vocal, 24 Reggae, 25 Easy Listening, 27 J-Pop, 28 Enka, 29 Anime, 30 Kayokyoku, 34 Music,
        50 Fitness & Workout, 52 Karaoke, 53 Instrumental, 1122 Brazilian, 1197 Arabic,
        1203 African, 1232 Chinese, 1243 Korean, 1262 Indian, 1289 Folk, 1290 Orchestral,
        1291 Marching, 1299 Russian, 1300 Turkish, 100000 Christian & Gospel, 100024 Cuban,
        100084 Tarab, 50000061 Spoken Word, 50000063 Disney, 50000064 French Pop,
        50000066 German Pop, 50000068 German Folk
        """,
        "Podcasts": """
        26 Podcasts, 1301 Arts, 1303 Comedy, 1304 Education, 1305 Kids & Family, 1307 Health,
        1309 TV & Film, 1310 Music, 1311 News & Politics, 1314 Religion & Spirituality,
        1315 Science & Medicine, 1316 Sports & Recreation, 1318 Technology, 1321 Business,
        1323 Games & Hobbies, 1324 Society & Culture, 1325 Government & Organizations, 1483 Fiction,
        1487 History, 1488 True Crime, 1489 News, 1502 Leisure, 1511 Government,
        1512 Health & Fitness, 1533 Science, 1545 Sports
        """,
        "TV Shows": """
        32 TV Shows, 4000 Comedy, 4001 Drama, 4002 Animation, 4003 Action & Adventure,
        4004 Classics, 4005 Kids & Family, 4006 Nonfiction, 4007 Reality TV, 4008 Sci-Fi & Fantasy,
        4009 Sports, 4010 Teens, 4011 Latino TV
        """,
        "Movies": """
        33 Movies, 4401 Action & Adventure, 4402 Anime, 4403 Classics, 4404 Comedy,
        4405 Documentary, 4406 Drama, 4407 Foreign, 4408 Horror, 4409 Independent,
        4410 Kids & Family, 4411 Musicals, 4412 Romance, 4413 Sci-Fi & Fantasy, 4414 Short Films,
        4415 Special Interest, 4416 Thriller, 4417 Sports, 4418 Western, 4419 Urban, 4420 Holiday,
        4421 Made for TV, 4422 Concert Films, 4423 Music Documentaries, 4424 Music Feature Films,
        4425 Japanese Cinema, 4426 Jidaigeki, 4427 Tokusatsu, 4428 Korean Cinema, 4429 Russian,
        4430 Turkish, 4431 Bollywood, 4432 Regional Indian, 4433 Middle Eastern, 4434 African
        """,
        "Audiobooks": """
        74 News, 75 Programs & Performances, 50000024 Audiobooks, 50000040 Fiction,
        50000041 Arts & Entertainment, 50000042 Biographies & Memoirs,
        50000043 Business & Personal Finance, 50000044 Kids & Young Adults, 50000045 Classics,
        50000046 Comedy, 50000047 Drama & Poetry, 50000048 Speakers & Storytellers,
        50000049 History, 50000050 Languages, 50000051 Mysteries & Thrillers, 50000052 Nonfiction,
        50000053 Religion & Spirituality, 50000054 Science & Nature, 50000055 Sci Fi & Fantasy,
        50000056 Self-Development, 50000057 Sports & Outdoors, 50000058 Technology,
        50000059 Travel & Adventure, 50000069 Romance, 50000070 Audiobooks Latino, 50000092 Erotica,
        50000093 Light Novels
        """,
    ]

    private static let genres: [Int: (name: String, group: String)] = {
        var genres: [Int: (name: String, group: String)] = [:]
        for (group, table) in tables {
            for row in table.split(whereSeparator: { $0 == "," || $0.isNewline }) {
                let parts = row.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let number = Int(parts[0]) else { continue }
                genres[number] = (String(parts[1]), group)
            }
        }
        return genres
    }()

    /// The genre of a number, a code of the Store's; `nil` for one that is not known.
    public static func name(of number: Int) -> String? { genres[number]?.name }

    /// What the genre of a number, a code of the Store's, is one of: `Music`, `Movies`, `TV Shows`, `Podcasts`,
    /// `Audiobooks`; `nil` for a number that is not known.
    public static func group(of number: Int) -> String? { genres[number]?.group }

    /// The number of a genre, a code of the Store's, whatever the case of its letters; `nil` for a name that is
    /// not known.
    ///
    /// - Parameter group: What it must be one of; `nil` leaves that open, and the lowest number is taken.
    public static func number(of name: String, group: String? = nil) -> Int? {
        let matches = genres.filter { _, genre in
            genre.name.lowercased() == name.lowercased() && (group == nil || genre.group == group)
        }
        return matches.keys.min()
    }
}

/// The genres that a text names by names, by numbers of ID3's list, or by both.
enum GenreText {
    /// Reads `Rock`, `(17)`, `(17)(6)Refined`, `(RX)`; `((` stands for a bracket.
    ///
    /// - Parameter allowsBareNumbers: Whether `17` is a number of the list, as in ID3v2.4, instead of a name.
    static func names(in text: String, allowsBareNumbers: Bool) -> [String] {
        var names: [String] = []
        func add(_ name: String) {
            if !name.isEmpty, !names.contains(where: { $0.lowercased() == name.lowercased() }) { names.append(name) }
        }
        var rest = text[...]
        while rest.first == "(", !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")") {
            let reference = rest[rest.index(after: rest.startIndex)..<end]
            guard let name = name(of: reference) else { break }
            add(name)
            rest = rest[rest.index(after: end)...]
        }
        if rest.hasPrefix("((") { rest = rest.dropFirst() }
        if allowsBareNumbers, names.isEmpty, let name = name(of: rest) {
            add(name)
        } else {
            add(String(rest))
        }
        return names
    }

    /// The genre of a reference: a number, `RX` for a remix, `CR` for a cover.
    private static func name(of reference: Substring) -> String? {
        switch reference {
        case "RX": "Remix"
        case "CR": "Cover"
        default: Int(reference).flatMap(Genres.name(of:))
        }
    }

    /// The text for ID3, where a bracket at the beginning would be taken for a number's.
    static func id3Text(_ name: String) -> String { name.hasPrefix("(") ? "(" + name : name }
}
