"""EXIF, XMP, IPTC and ICC, as bytes."""

import struct

from common import WRITTEN, read


def text(s):
    data = s.encode("latin-1")
    return 2, len(data) + 1, data + b"\0"


def rationals(*values):
    return 5, len(values) // 2, struct.pack(f"<{len(values)}I", *values)


def short(value):
    return 3, 1, struct.pack("<H", value)


def long(value):
    return 4, 1, struct.pack("<I", value)


def directory(entries, base, following=0):
    """An image file directory of TIFF's that lies at base: {tag: (type, count, bytes)}."""
    at, head, data = base + 6 + 12 * len(entries), struct.pack("<H", len(entries)), b""
    for tag, (kind, count, value) in sorted(entries.items()):
        if len(value) > 4:
            head += struct.pack("<HHII", tag, kind, count, at + len(data))
            data += value + b"\0" * (len(value) % 2)
        else:
            head += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
    return head + struct.pack("<I", following) + data


def exif(orientation=1, resolution=(300, 1, 150, 1), unit=2, space=1, comment=None, title=None,
         small=None, sized=False):
    """As a camera writes it, with a thumbnail where there is one; sized: which says how large."""
    def parts(camera_at, place_at, small_at, jpeg_at):
        image = {0x10f: text("Canon"), 0x110: text("Canon EOS 80D"), 0x112: short(orientation),
                 0x11a: rationals(*resolution[:2]), 0x11b: rationals(*resolution[2:]),
                 0x128: short(unit), 0x131: text("Firmware 1.0"),
                 0x132: text("2023:05:06 07:08:09"), 0x13b: text("A. Photographer"),
                 0x8298: text("(c) A. Photographer"), 0x213: short(2), 0x8769: long(camera_at),
                 0x8825: long(place_at)}
        camera = {0x829a: rationals(1, 250), 0x829d: rationals(56, 10), 0x8827: short(400),
                  0x9000: (7, 4, b"0230"), 0x9003: text("2023:05:06 07:08:09"),
                  0x9101: (7, 4, b"\1\2\3\0"), 0x9204: (10, 1, struct.pack("<ii", -1, 3)),
                  0x9209: short(16), 0x920a: rationals(50, 1), 0xa001: short(space),
                  0xa002: long(6000), 0xa003: long(4000), 0xa434: text("EF50mm f/1.8 STM")}
        place = {0: (1, 4, b"\2\3\0\0"), 1: text("N"), 2: rationals(48, 1, 8, 1, 1234, 100),
                 3: text("E"), 4: rationals(11, 1, 34, 1, 5678, 100), 6: rationals(5200, 10)}
        thumbnail = {0x103: short(6), 0x11a: rationals(72, 1), 0x11b: rationals(72, 1),
                     0x128: short(2), 0x201: long(jpeg_at), 0x202: long(len(small or b""))}
        if title is not None:
            image[0x10e] = text(title)
        if comment is not None:
            camera[0x9286] = 7, 8 + len(comment), b"ASCII\0\0\0" + comment.encode()
        if sized:
            thumbnail.update({0x100: short(160), 0x101: short(120)})
        result = directory(image, 8, small_at)
        for entries in [camera, place] + [thumbnail] * bool(small):
            starts.append(8 + len(result))
            result += directory(entries, 8 + len(result))
        starts.append(8 + len(result))
        return result + (small or b"")

    starts = []
    parts(0, 0, 0, 0)
    at = starts[:2] + [starts[2] if small else 0, starts[-1]]
    return b"II*\0" + struct.pack("<I", 8) + parts(*at)


XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta
xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
xmp:CreatorTool="Adobe Lightroom" xmp:Rating="4" xmpMM:DocumentID="xmp.did:1234"
photoshop:City="M\u00fcnchen"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">A title</rdf:li>
</rdf:Alt></dc:title><dc:subject><rdf:Bag><rdf:li>one</rdf:li><rdf:li>two, three</rdf:li></rdf:Bag>
</dc:subject><dc:creator><rdf:Seq><rdf:li>A. Photographer</rdf:li></rdf:Seq></dc:creator>
<xmpMM:History><rdf:Seq><rdf:li stEvt:action="derived" stEvt:parameters="converted"/>
<rdf:li stEvt:action="saved" stEvt:instanceID="xmp.iid:99" stEvt:when="2023-05-06T07:08:09+02:00"/>
</rdf:Seq></xmpMM:History><Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City="Berlin"
Iptc4xmpExt:CountryCode="DE"/></rdf:Bag></Iptc4xmpExt:LocationShown></rdf:Description></rdf:RDF>
</x:xmpmeta><?xpacket end="w"?>""".encode()
XMP_OWN = XMP.replace(b'xmp:Rating="4"', b'xmlns:my="http://my.name/" my:rating="4"').replace(
    b'stEvt:action="saved"', b'stEvt:action="saved" my:reason="none"')


def iptc():
    fields = [(1, 90, b"\x1b%G"), (2, 25, b"one"), (2, 25, "Schl\u00fcssel".encode()),
              (2, 80, b"A. Photographer"), (2, 120, b"A caption")]
    data = b"".join(struct.pack(">BBBH", 0x1c, record, number, len(value)) + value
                    for record, number, value in fields)
    return (b"Photoshop 3.0\x008BIM\4\4\0\0" + struct.pack(">I", len(data)) + data +
            b"\0" * (len(data) % 2))


def icc(gamma, space=b"RGB "):
    """A profile of version 2, with the primaries of a display and that gamma."""
    def number(value):
        return struct.pack(">i", round(value * 65536))

    def xyz(*values):
        return b"XYZ \0\0\0\0" + b"".join(map(number, values))

    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"
    name = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"mine\0" + b"\0" * 79
    tags = [(b"desc", name), (b"cprt", b"text\0\0\0\0none\0\0\0\0"),
            (b"wtpt", xyz(.9642, 1, .8249))]
    if space == b"RGB ":
        tags += [(b"rXYZ", xyz(.515, .241, -.001)), (b"gXYZ", xyz(.292, .692, .042)),
                 (b"bXYZ", xyz(.157, .067, .784)), (b"rTRC", curve), (b"gTRC", curve),
                 (b"bTRC", curve)]
    else:
        tags += [(b"kTRC", curve)]
    table, body, at = struct.pack(">I", len(tags)), b"", 132 + 12 * len(tags)
    for tag, value in tags:
        value += b"\0" * (-len(value) % 4)
        table += tag + struct.pack(">II", at + len(body), len(value))
        body += value
    head = struct.pack(">I4sI4s4s4s", at + len(body), b"none", 0x02400000, b"mntr", space, b"XYZ ")
    head += struct.pack(">6H", 2020, 1, 1, 0, 0, 0) + b"acsp" + b"\0" * 28
    return head.ljust(68, b"\0") + number(.9642) + number(1) + number(.8249) + b"\0" * 48 + \
        table + body


def builtin():
    """The profile of WRITTEN, which is in one segment."""
    data = read(WRITTEN)
    start = data.index(b"ICC_PROFILE\0\1\1")
    size = struct.unpack(">H", data[start - 2:start])[0]
    return data[start + 14:start - 2 + size]
