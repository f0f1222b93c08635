#!/usr/bin/env python3
"""Files of each kind that the command takes, and of kinds that it refuses.

kinds.py make TRUSTED OTHERS: makes them in two folders, all named .tif, which they need not
be, so that the results are TIFF files. Those of OTHERS have no pixels. Into TRUSTED.expected go
their pixels.
kinds.py premultiplied: makes an AVIF and a HEIC file whose colours are multiplied by alpha,
and JPEG XL files of kinds that libvips does not tell.
kinds.py judge TRUSTED RESULTS: compares the results with these; prints TAP without a plan."""

import base64
import itertools
import os
import pickle
import struct
import sys
import zlib

import numpy as np

from files import chunk, ifd, longs, png, read, read_tags, shorts, write

WIDTH, HEIGHT = 40, 24
# Of JPEG XL: colours that are multiplied by alpha, and a profile of CMYK.
JXL = {
    "multiplied":
        "c-muNVBqnJ@KNC9YUg5LU=T?wsVvB<$WZ{Y8KCqeAf5c5>+}IH4h{i^KaAcQi*~vG`pL7-oQsRAdF!DE=B%u$<qj"
        "^2w?6#m6>yPE?&(Mrv29IcN$Qz6@fRx##|Hxrh6_296s+9bH1-^F(i01aP`t`L;cCI_6AR{uG_Q5pJH_<auLh&U<"
        "&%m6rZ0AD*l3*I*3N8o%=k#b;}Zw<|L}eOmm4hl(0%9HMk^BldRau0",
    "cmyk":
        "c-jHi0Vw|e3d=wU|33pts9K>~0-~Zqp(+7jDkvWixg5<Udm6rOD;4Cy@*C~yKsJQ+EQYftFyL6Ut_I)$)P{+-`;I"
        "mAAn-4p0eK1_V`sHsrnR@tv<OWttUCelLVnj$o38DHB+9}x&NnP3o6%~v8!o5Y@p`@w6cUX{CDRF&QmvTAd7wy|s"
        "LHyqOxy8#zJK6B;gDD~9+64qlG$`Vp;76STD4xWS?!j4ckkc9hs9%Z*?dN))oXU!{f5Wob9&u=$LIBX{{8*`00IO"
        "C2nq}i5E2v?7#bWNAR;6tC@L&2FfueYI66E&Kte=DNJ>mjP*PM@SXx|OU}9uuXliV3aB_5ZczS$(fP#dEh>DDkkd"
        "l;^n3|lPprWLvsH&{4u(GtaxVpT)z{14F$jZ#l(9+b_*xKCQ;Ns-w=<4k5@bdKb`1<_*pTGIT{LTMr=0E>OGXH0N"
        "XW!@V_Yw#K0RYGWODLkc<<xlwuY<LMg2Lc81qCG+5Q#(^{=Wf&^c02>h%rV+@)Z{dAV9++0HDNGDx;q$DGhBUB_)"
        "Qdq@<>^kYoq9#^7jyZZ-{JM>Kq(dnF-HAZ<bJG{{4|h2FW_&<=j#cbNBYo2m#u%54qQp#dfG=^X",
}
# Of 64 x 64 pixels of (200, 100, 50), with an alpha that grows from left to right, by which they
# are multiplied: coded, since no tool of the tests makes such a file.
PREMULTIPLIED = {
    "avif":
        "c-muNV30{GsVqn=%S>Yc0uY^>nP!-qnF!=FF3U|VNo0Tk#f+4kA}E`oATzmy0S)jKWR~QDS&Tqzl9`jA4C1&rFfaij"
        "Nca?31_YuYEG8AWNEZ-WWM<}podH%a3go0RLCs4nGcaU85oAILUe7EjDge?OGYgXQfwXXPeoj$da!v)<X0`^P5Km&6"
        "p>rdH3`n_1W^q9()LI8920FeX6Kod;$RUZP70w`DX;Ge4Zb51~m~gU6&P*<_Dy}RpNzE;`0;<W($xJM&v`Wk=$N&cu"
        ")D|9Gwg|v%Vdmff*&~-(kP8c6CI&{9#y0j21}2s!=9X5Vh(=~nY8otXfwtv<)PMtwub?P37t96)#hcue#1bI}E;b3#"
        "`oFCXMt%YeXa9Fa9Q}7!r)Bc8H-cTKCyRz^|M{dXZx(QW@dt)_)g0yGsZu6O#kN-bZ`hV>w*TEJ8@1UFt`r#g3Km@d"
        ";@=}FT`yb5WMJMAf6<!*Xfh|r<R%stUJj#b0S1P1@6PXeyZ=|s2|urLH~z{qZYQ6}2$`HPK5Ubocjd>@-D%&y<T(|;"
        "T3HvVc;R!Vc+YQje>2xyE+f`@7rCQu^Z&`*d}Xm)?w_Al)s6LOvbwiLr}P%*I(&Hg<coCqsm$*G9wAD(W-OjDwv5mH"
        "ZY{g};xS9|^5VjrZ~*MNw|)",
    "heic":
        "c-muNV30{GsVvAy%}izhg51nBLl8SRGck>UfhjmQwIq=N0u(b+a*CjAhJwuG5(YHDSCCnf3uZ9_u}Nl5KG;YX2L>jv"
        "2m@0&ga(3>KrtX-c7TiY0<lGAW?mYY2a**9a#ER~=4F&68#15>GQkBITQUoZ3V?KcW<hd3P@n=R;mpWf0C$?)2Zld?"
        "fBaxz;Ad6<nkM1E$iw*mKS%*H!vqikL~^^B929|)+D?p&Xfg{F8d;~k^3+_H$HKzH0TO}`4oX1v>@JK4i#8}Z0Id<p"
        "EG|feTIm4A0tJ~BnP9(iZ~%2N6oK8w!hzzpKM1#pL)^v!wqgDcuoGZTQv*5;RpLMsi&*qZm1R3OD1ZdOgd!2H;)A)0"
        "5#$i{#L^095U;c-&nmYdHQg#BwJh1n$iUFl3MiGCVg(L++024mSZV-9DRU!JGXoP#3u{|DP(UNIC^Ze15`da=z_HE<"
        "wyP*L7t97m8Dm^-N+Kxf9Mxc4&$c6Z+R1jN4#TY3T$g{l-TpIM@YRB6u1yTbBGiq)t>5VR`-J}&?+KqDDQ(G1^9bD$"
        ";oe|y`(l3WLd9U^7l(FRZfE;`^iJAO#wCib+S(rl)|jsoU)o^3@%?YT?Gs<V5Wd9uZCU^71>u*f`j_P|VSX)A_$2zH"
        "f4WoWya!A-65VGX{%`Vs%FpV%V!nG)?>O0-_gs~0Pdp;0o$oE=t9NhTJo77ec><;e_T`vt?^v_1fMqu0=U-KMiQi7i"
        "%$A+f-}tYbu@C5xP7TI&yaknykC?tqbdg%%v~7WvU)bYEPafDMcp3zI3x6;usGWWPZn6Jr(|2E#c;&s~Y}d_PvRTl*"
        "F8}Mpd$;rMr8_wvymnu{dY|<Cbj6NUpSK>Jlicvp_i0aElH-TZXWAc3Kjr)9clIY6`$RVX<>qV&%kRIx#^J%&_}T2T"
        "Zv0i(>f+z;CvV@e?FRswRv6j",
}
TIFF_COLOURS = {"white-is-0": (0, 1), "gray": (1, 1), "RGB": (2, 3), "palette": (3, 1),
                "mask": (4, 1), "CMYK": (5, 4), "inks": (5, 4), "YCbCr": (6, 3),
                "CIELab": (8, 3), "ICCLab": (9, 3), "ITULab": (10, 3), "LogL": (32844, 1),
                "LogLuv": (32845, 3)}
TIFF_ALPHAS = {"opaque": (), "straight": (2,), "premultiplied": (1,), "unspecified": (0,),
               "two": (2, 0), "missing": (None,)}
PNG_KINDS = {("gray", False): 0, ("RGB", False): 2, ("palette", False): 3, ("gray", True): 4,
             ("RGB", True): 6}
SAMPLES = ["1-bit", "2-bit", "4-bit", "8-bit", "10-bit", "12-bit", "16-bit", "32-bit", "64-bit",
           "8-bit-signed", "16-bit-signed", "32-bit-signed", "16-bit-float", "24-bit-float",
           "32-bit-float", "64-bit-float"]


LOSSLESS = "none LZW deflate PackBits"
# Each row stands for all combinations of one word from each column: colour, samples, alpha,
# compression, layout.
TAKEN = [
    ("Jpeg", "gray RGB YCbCr CMYK YCCK", "8-bit", "opaque", "Huffman", "plain scans"),
    ("Png", "gray", "1-bit 2-bit 4-bit 8-bit 16-bit", "opaque key", "deflate", "plain scans"),
    ("Png", "palette", "1-bit 2-bit 4-bit 8-bit", "opaque key", "deflate", "plain scans"),
    ("Png", "RGB", "8-bit 16-bit", "opaque key straight", "deflate", "plain scans"),
    ("Png", "gray", "8-bit 16-bit", "straight", "deflate", "plain scans"),
    ("Tiff", "gray white-is-0 palette", "1-bit 2-bit 4-bit 8-bit", "opaque", LOSSLESS,
     "strips tiles"),
    ("Tiff", "gray white-is-0 RGB", "8-bit 16-bit 32-bit", "opaque straight", LOSSLESS,
     "strips tiles"),
    ("Tiff", "gray RGB", "32-bit-float", "opaque straight", LOSSLESS, "strips tiles"),
    ("Tiff", "gray RGB", "8-bit 16-bit", "premultiplied", LOSSLESS, "strips tiles"),
    ("Tiff", "RGB", "8-bit 16-bit 32-bit 32-bit-float", "opaque straight", LOSSLESS, "planes"),
    ("Tiff", "CMYK", "8-bit 16-bit", "opaque", LOSSLESS, "strips tiles"),
    ("Tiff", "gray RGB", "8-bit 16-bit", "opaque", "zstd", "strips"),
    ("Tiff", "gray white-is-0", "1-bit", "opaque", "CCITT", "strips"),
    ("Tiff", "gray RGB YCbCr", "8-bit", "opaque", "JPEG", "strips tiles"),
]


def get_top(sample):
    bits = int(sample.split("-")[0])
    return 1.0 if "float" in sample else 2.0 ** (bits - ("signed" in sample)) - 1


def make_samples(random, sample, channels):
    top = get_top(sample)
    values = random.random((HEIGHT, WIDTH, channels))
    return values if top == 1.0 and "float" in sample else np.floor(values * (top + 0.999))


def pack(rows, sample):
    """The bytes of rows."""
    bits = int(sample.split("-")[0])
    kind = "f" if "float" in sample else "i" if "signed" in sample else "u"
    if bits == 24:  # the first bytes of a float
        return b"".join(struct.pack("<f", value)[1:] for value in rows.ravel())
    if bits >= 8 and bits not in (10, 12):
        return rows.astype(f"<{kind}{bits // 8}").tobytes()
    packed = b""
    for row in rows:
        text = "".join(f"{int(value):0{bits}b}" for value in row.ravel())
        packed += int(text + "0" * (-len(text) % 8), 2).to_bytes((len(text) + 7) // 8, "big")
    return packed


def lzw(data):
    """No repetition is found, and all codes have 9 bits."""
    parts = [data[i:i + 250] for i in range(0, len(data), 250)]
    text = "".join(f"{256:09b}" + "".join(f"{byte:09b}" for byte in part) for part in parts)
    text += f"{257:09b}"
    return int(text + "0" * (-len(text) % 8), 2).to_bytes((len(text) + 7) // 8, "big")


def pack_bits(data):
    return b"".join(bytes([len(data[i:i + 128]) - 1]) + data[i:i + 128]
                    for i in range(0, len(data), 128))


COMPRESSIONS = {"none": (1, bytes), "LZW": (5, lzw), "deflate": (8, zlib.compress),
                "PackBits": (32773, pack_bits), "JBIG": (34661, bytes), "LERC": (34887, bytes)}


def cut(samples, layout):
    """The parts of an image that are compressed, in the order of a TIFF file."""
    planes = [samples]
    if "planes" in layout:
        planes = [samples[:, :, i:i + 1] for i in range(samples.shape[2])]
    if "tiles" not in layout:
        return [plane[y:y + 10] for plane in planes for y in range(0, HEIGHT, 10)]
    padded = [np.pad(plane, ((0, -HEIGHT % 16), (0, -WIDTH % 16), (0, 0))) for plane in planes]
    return [plane[y:y + 16, x:x + 16] for plane in padded for y in range(0, HEIGHT, 16)
            for x in range(0, WIDTH, 16)]


def write_tiff(path, samples, words, palette, empty):
    colour, sample, alpha, packing, layout = words
    code, compress = COMPRESSIONS[packing]
    kind = 3 if "float" in sample else 2 if "signed" in sample else 1
    channels = samples.shape[2]
    empty = empty and colour != "YCbCr"  # of which libtiff knows that it cannot be
    parts = [b"" if empty else compress(pack(part, sample)) for part in cut(samples, layout)]
    places = np.cumsum([8] + [len(part) for part in parts])
    tags = {256: [WIDTH], 257: [HEIGHT], 258: [int(sample.split("-")[0])] * channels, 259: [code],
            262: [TIFF_COLOURS[colour][0]], 277: [channels], 339: [kind] * channels,
            284: [1 + ("planes" in layout)]}
    if "tiles" in layout:
        tags.update({322: [16], 323: [16], 324: places[:-1], 325: [len(part) for part in parts]})
    else:
        tags.update({278: [10], 273: places[:-1], 279: [len(part) for part in parts]})
    if alpha not in ("opaque", "missing"):
        tags[338] = TIFF_ALPHAS[alpha]
    if colour == "inks":
        tags[332] = [2]
    if palette is not None:
        tags[320] = palette.T.ravel()
    long, start = {273, 324, 279, 325}, int(places[-1] + places[-1] % 2)
    directory = [(tag, *(longs if tag in long else shorts)(*map(int, values)))
                 for tag, values in tags.items()]
    write(path, b"II*\0" + struct.pack("<I", start), *parts, b"\0" * int(places[-1] % 2),
          ifd(start, directory))


def make_tiff(random, path, words, empty=False):
    """Returns the expected values, 0 to 1."""
    colour, sample, alpha = words[:3]
    top, channels = get_top(sample), TIFF_COLOURS[colour][1]
    samples, palette = make_samples(random, sample, channels), None
    expected = top - samples if colour == "white-is-0" else samples
    expected = expected / top
    if colour == "palette":
        palette = random.integers(0, 256, (int(top) + 1 if top < 65536 else 1, 3)) * 257
        expected = None if empty else palette[samples[:, :, 0].astype(int)] / 65535
    for kind in TIFF_ALPHAS[alpha]:
        more = make_samples(random, sample, 1)
        more = np.maximum(more, top / 4) if "float" in sample else np.maximum(more, top // 4)
        if kind == 1:
            samples = samples * more / top
            samples = samples if "float" in sample else np.round(samples)
        samples = np.concatenate([samples, more], 2)
        if expected is not None:
            expected = np.concatenate([expected, more / top], 2)
    write_tiff(path, samples, words, palette, empty)
    return expected


def interlace(samples):
    """The seven pictures that an interlaced PNG is made of."""
    return [samples[y::dy, x::dx] for x, y, dx, dy in (
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2))]


def make_png(random, path, words):
    colour, sample, alpha, _, layout = words
    bits, top = int(sample.split("-")[0]), get_top(sample)
    straight = alpha == "straight"
    samples = make_samples(random, sample, (3 if colour == "RGB" else 1) + straight)
    before, expected = [], samples / top
    if colour == "palette":
        palette = random.integers(0, 256, (int(top) + 1, 3))
        before.append(chunk(b"PLTE", palette.astype(np.uint8).tobytes()))
        expected = palette[samples[:, :, 0].astype(int)] / 255
    if alpha == "key":  # the colour of the first pixel is transparent
        if colour == "palette":
            key = np.zeros((int(top) + 1), np.uint8)
            before.append(chunk(b"tRNS", (255 - key).tobytes()[:-1] + b"\0"))
            clear = samples == top
        else:
            before.append(chunk(b"tRNS", samples[0, 0].astype(">u2").tobytes()))
            clear = (samples == samples[0, 0]).all(2, keepdims=True)
        expected = np.concatenate([expected, 1.0 - clear], 2)
    parts = interlace(samples) if layout == "scans" else [samples]
    data = b"".join(b"\0" + (row.astype(">u2").tobytes() if bits == 16 else pack(row[None], sample))
                    for part in parts for row in part)
    write(path, png(WIDTH, HEIGHT, zlib.compress(data), *before, bits=bits,
                    kind=PNG_KINDS[colour, straight], interlaced=int(layout == "scans")))
    return expected


JPEG_COLOURS = {"gray": 1, "RGB": 3, "YCbCr": 3, "CMYK": 4, "YCCK": 4, "two": 2}
JPEG_FRAMES = {("Huffman", "plain"): 0xc0, ("Huffman", "scans"): 0xc2,
               ("arithmetic", "plain"): 0xc9, ("lossless", "plain"): 0xc3}


def make_jpeg(random, path, words, precision=8):
    """Of flat blocks: each has a difference of 8 bits and no other number."""
    colour, _, _, packing, layout = words
    n = JPEG_COLOURS[colour]
    blocks = random.integers(40, 210, (HEIGHT // 8, WIDTH // 8, n))
    adobe = {"RGB": 0, "CMYK": 0, "YCCK": 2}.get(colour)

    def segment(marker, data):
        return bytes([0xff, marker]) + struct.pack(">H", len(data) + 2) + data

    head = b"\xff\xd8" + segment(0xdb, b"\0" + b"\x08" + b"\1" * 63)
    if adobe is not None:
        head += segment(0xee, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, adobe))
    ids = bytes(range(1, n + 1))
    head += segment(JPEG_FRAMES[packing, layout], struct.pack(
        ">BHHB", precision, HEIGHT, WIDTH, n) + b"".join(bytes([i, 0x11, 0]) for i in ids))
    # Numbers of 0 to 9 bits, each with a code of four bits; among the others only the end, 00.
    head += segment(0xc4, b"\0" + bytes([0, 0, 0, 10] + [0] * 12) + bytes(range(10)))
    head += segment(0xc4, b"\x10" + bytes([0, 1] + [0] * 14) + b"\0")
    plain = layout == "plain"
    head += segment(0xda, bytes([n]) + b"".join(bytes([i, 0]) for i in ids) +
                    bytes([0, 63 * plain, 0]))
    text, before = "", [128] * n
    for row in blocks:
        for block in row:
            for i, value in enumerate(block):
                difference, before[i] = int(value) - before[i], int(value)
                size = abs(difference).bit_length()
                low = difference if difference >= 0 else difference + (1 << size) - 1
                text += f"{size:04b}" + (f"{low:0{size}b}" if size else "")
                text += "00" * plain

    def fill(text):
        text += "1" * (-len(text) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\0")

    ends = fill("00" * (blocks.size // n))
    scans = [] if plain else [segment(0xda, bytes([1, i, 0, 1, 63, 0])) + ends for i in ids]
    write(path, head, fill(text), *scans, b"\xff\xd9")
    values = blocks.repeat(8, 0).repeat(8, 1).astype(float)
    if colour in ("YCbCr", "YCCK"):
        y, cb, cr = values[:, :, 0], values[:, :, 1] - 128, values[:, :, 2] - 128
        values[:, :, :3] = np.clip(np.stack([y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr,
                                             y + 1.772 * cb], 2), 0, 255)
    if colour == "YCCK":
        values[:, :, :3] = 255 - values[:, :, :3]
    return (255 - values if n == 4 else values) / 255  # Adobe's CMYK is stored inverted


def judge(name, expected, result):
    """Both hold values 0 to 1. Returns the largest difference that shows. Profiles decide what CMYK
    becomes, but the less ink, the more light."""
    if "CMYK" in name or "YCCK" in name:
        light = (1 - expected[:, :, :3]) * (1 - expected[:, :, 3:])
        return 0 if all(np.corrcoef(light[:, :, i].ravel(), result[:, :, i].ravel())[0, 1] > 0.9
                        for i in range(3)) and result.max() <= 1 else np.inf
    if expected.shape != result.shape:
        return np.inf
    difference = np.abs(expected - result)
    if expected.shape[2] in (2, 4):
        difference[:, :, :-1] *= expected[:, :, -1:]
    return difference.max()


def read_tiff(path):
    """What the command writes: without compression."""
    data = read(path)
    tags = read_tags(data)
    kind = {1: "u", 3: "f"}[tags[339][0]]
    pixels = b"".join(data[at:at + n] for at, n in zip(tags[273], tags[279]))
    values = np.frombuffer(pixels, f"<{kind}{tags[258][0] // 8}").astype(float)
    top = 1.0 if kind == "f" else 2.0 ** tags[258][0] - 1
    return values.reshape(tags[257][0], tags[256][0], tags[277][0]) / top


def name_file(loader, words):
    return "_".join((loader, *words)) + ".tif"


def make(trusted, others):
    random = np.random.default_rng(int(os.environ.get("CUDA_BLUR_TEST_SEED", 5)))
    known = {(loader, *words) for loader, *columns in TAKEN
             for words in itertools.product(*map(str.split, columns))}
    expected = {}
    makers = {"Tiff": make_tiff, "Png": make_png, "Jpeg": make_jpeg}
    for loader, *words in sorted(known):
        if loader in makers and (loader != "Tiff" or words[3] in COMPRESSIONS):
            name = name_file(loader, words)
            expected[name] = makers[loader](random, os.path.join(trusted, name), words)
    with open(trusted + ".expected", "wb") as file:
        pickle.dump(expected, file)
    for words in itertools.product(TIFF_COLOURS, SAMPLES, TIFF_ALPHAS, COMPRESSIONS,
                                   ["strips", "tiles", "planes", "tiles-of-planes"]):
        common = [words[0] in ("RGB", "gray"), words[1] == "8-bit", words[2] == "opaque",
                  words[3] == "none", words[4] == "strips"]
        single = words[4] == "planes" and TIFF_COLOURS[words[0]][1] + len(
            TIFF_ALPHAS[words[2]]) == 1
        impossible = (words[0] == "YCbCr" and words[2] != "opaque") or \
            (words[0] == "palette" and ("float" in words[1] or get_top(words[1]) > 65535))
        if ("Tiff", *words) not in known and sum(common) >= 3 and not (single or impossible):
            make_tiff(random, os.path.join(others, name_file("Tiff", words)), words, empty=True)
    for colour, packing, precision in (("two", "Huffman", 8), ("YCbCr", "arithmetic", 8),
                                       ("gray", "lossless", 8), ("YCbCr", "Huffman", 12)):
        words = [colour, f"{precision}-bit", "opaque", packing, "plain"]
        make_jpeg(random, os.path.join(others, name_file("Jpeg", words)), words, precision)


def main():
    if sys.argv[1] == "premultiplied":
        for kind, data in PREMULTIPLIED.items():
            write(f"premultiplied.{kind}", zlib.decompress(base64.b85decode(data)))
        for name, data in JXL.items():
            write(f"{name}.jxl", zlib.decompress(base64.b85decode(data)))
        return
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
        return
    with open(sys.argv[2] + ".expected", "rb") as file:
        expected = pickle.load(file)
    wrong = 0
    for name, values in expected.items():
        path = os.path.join(sys.argv[3], name)
        if not os.path.exists(path):
            print(f"# {name} has no result")
            wrong += 1
        else:
            difference = judge(name, values, read_tiff(path))
            if not difference <= (2.5 if name.startswith("Jpeg") else 1.01) / 255:
                print(f"# {name} is {difference * 255:.1f} levels off")
                wrong += 1
    print(f"# {len(expected)} kinds")
    sys.exit(wrong > 0 or not expected)


if __name__ == "__main__":
    main()
