#!/usr/bin/env python3
"""scenes.py FOLDER: draws what no photograph here shows: lamps at night with a chess piece before
them (night, piece), a town from above (town), a car in its street (street, car) and a big wheel at
night (wheel); and what spoils a photograph: dust and scratches (dust), hot pixels (hot). As PNG, by
numpy and ImageMagick; always the same."""

import subprocess
import sys

import numpy as np

FOLDER = sys.argv[1]


def encode(light):
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def save(name, samples):
    """Of sRGB, 0 to 1, with or without alpha."""
    height, width, channels = samples.shape
    data = (np.clip(samples, 0, 1) * 255 + 0.5).astype(np.uint8)
    subprocess.run(["convert", "-size", f"{width}x{height}", "-depth", "8",
                    "rgba:-" if channels == 4 else "rgb:-", f"{FOLDER}/{name}.png"],
                   input=data.tobytes(), check=True)


def draw(name, width, height, background, shapes, noise=0.2):
    """Shapes are lines of ImageMagick's drawing language."""
    depth = "PNG32" if background == "none" else "PNG24"
    subprocess.run(["convert", "-size", f"{width}x{height}", "-background", background, "mvg:-",
                    "-seed", "1", "-attenuate", str(noise), "+noise", "gaussian",
                    f"{depth}:{FOLDER}/{name}.png"],
                   input="\n".join([f"viewbox 0 0 {width} {height}", *shapes]).encode(), check=True)


def colour(rgb, shade=1.0):
    return "rgb({},{},{})".format(*(int(np.clip(255 * c * shade, 0, 255)) for c in rgb))


def polygon(points, fill):
    return f"fill {fill} polygon " + " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


# ---- lamps at night

WIDTH, HEIGHT = 2000, 1125


def add_lamp(light, x, y, radius, tint, strength=1.1):
    """A bright core, and the little glow that every lens gives it. A tint has a channel of 1."""
    reach = int(radius * 9)
    left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
    part = light[top:int(y) + reach, left:int(x) + reach]
    if part.size == 0:
        return
    rows, columns = np.mgrid[top:top + part.shape[0], left:left + part.shape[1]]
    distance = np.hypot(columns - x, rows - y)
    core = np.clip(radius + 0.5 - distance, 0, 1) * strength
    glow = 0.05 * np.exp(-distance / (1.6 * radius))
    part += (core + glow)[..., None] * np.array(tint)


def make_night(rng):
    y = np.linspace(0, 1, HEIGHT)[:, None, None]
    light = (np.array([0.006, 0.010, 0.030]) * (1 - y) + np.array([0.060, 0.030, 0.022]) * y ** 2)
    light = np.repeat(light, WIDTH, axis=1)
    for x in range(-40, WIDTH, 90):  # houses and their windows
        top, right = int(rng.integers(250, 620)), x + int(rng.integers(80, 150))
        light[top:, max(x, 0):right] = np.array([0.008, 0.008, 0.013]) * rng.uniform(0.6, 1.6)
        for row in range(top + 24, 800, 38):
            for column in range(max(x, 0) + 14, right - 20, 30):
                if rng.random() < 0.22:
                    tint = np.array([1, 0.62, 0.25] if rng.random() < 0.8 else [0.5, 0.7, 1])
                    light[row:row + 15, column:column + 11] = tint * rng.uniform(0.08, 0.4)
    light[800:] = np.array([0.010, 0.010, 0.013])  # the street
    for k in range(9):  # its lamps, in two rows that meet
        depth = 1 / (1 + 0.55 * k)
        for side in (-1, 1):
            add_lamp(light, 980 + side * 1150 * depth, 760 - 560 * depth, 2 + 4 * depth,
                     (1, 0.66, 0.28))
    for k in range(22):  # cars, which come and go on both sides, and shop signs
        side = rng.choice([-1, 1])
        x, y = 980 + side * rng.uniform(60, 900), rng.uniform(745, 880)
        tint = (1, 0.93, 0.8) if k % 2 else (1, 0.06, 0.03)
        for wheel in (-12, 12):
            add_lamp(light, x + wheel * (y - 700) / 60, y, 3.2, tint)
    for _ in range(40):
        tint = [(0.1, 1, 0.45), (1, 0.2, 0.5), (0.25, 0.5, 1), (1, 0.8, 0.2)][rng.integers(4)]
        add_lamp(light, rng.uniform(0, WIDTH), rng.uniform(420, 740), 3, tint)
    for start, end, sag in ((-60, 1240, 150), (820, 2080, 190)):  # strings of bulbs
        for t in np.linspace(0, 1, 19):
            add_lamp(light, start + (end - start) * t, 90 + sag * 4 * t * (1 - t), 3.6,
                     (1, 0.74, 0.38))
    save("night", encode(light) + rng.normal(0, 0.004, light.shape))


PIECE = [  # the outline of a pawn: height above the ledge and radius
    (0, 118), (14, 122), (34, 120), (48, 104), (56, 92), (70, 88), (84, 84), (100, 70), (150, 52),
    (220, 42), (290, 37), (318, 38), (326, 52), (340, 62), (352, 56), (360, 42), (372, 40),
    (392, 56), (412, 69), (430, 75), (445, 77), (460, 75), (478, 69), (492, 61), (505, 48),
    (514, 34), (519, 20), (522, 0)]


def make_piece(rng):
    scale = 2  # of supersampling
    ledge, centre, grow, tilt = 985, 1000, 1.42, 0.11
    heights, radii = np.array(PIECE, float).T * grow
    fine = np.arange(-40, heights[-1] + 40)
    soft = np.exp(-(np.arange(-12, 13) / 3) ** 2 / 2)
    outline = np.convolve(np.interp(fine, heights, radii, right=0), soft / soft.sum(), "same")
    rows, columns = np.mgrid[0:HEIGHT * scale, 0:WIDTH * scale] / scale
    height, x = ledge + 10 - rows, columns - centre
    for _ in range(4):  # seen from a little above, its rings are ellipses
        radius = np.interp(height, fine, outline)
        bulge = np.sqrt(np.clip(1 - (x / np.maximum(radius, 1)) ** 2, 0, 1)) * radius
        height = ledge + 10 - rows + tilt * bulge
    slope = np.interp(height, fine, np.gradient(outline))
    inside = (np.abs(x) < radius) & (height > 0) & (height < heights[-1])
    across = np.clip(x / np.maximum(radius, 1e-3), -1, 1)
    facing = np.sqrt(1 - across ** 2)
    normal = np.stack([across, -slope, facing], -1)  # up is positive y
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    grain = np.sin(height / 5 + 3 * np.sin(x / 40 + height / 90)) * 0.1 + 1
    light = np.zeros((*inside.shape, 3))
    for direction, tint, shine in (((-0.75, 0.35, 0.55), (1, 0.72, 0.42), 26),
                                   ((0.9, 0.25, 0.1), (0.35, 0.5, 1), 14),
                                   ((0.1, 0.9, 0.3), (0.5, 0.45, 0.5), 40)):
        direction = np.array(direction) / np.linalg.norm(direction)
        towards = np.clip(normal @ direction, 0, 1)
        half = direction + np.array([0, 0, 1])
        gloss = np.clip(normal @ (half / np.linalg.norm(half)), 0, 1) ** (shine * 4)
        wood = np.array([0.36, 0.15, 0.055]) * grain[..., None]
        light += (towards[..., None] * wood + 0.5 * gloss[..., None]) * np.array(tint)
    edge = (1 - normal[..., 2]) ** 4  # what shines along the outline
    light += edge[..., None] * np.array([0.16, 0.10, 0.08])
    stone = rows > ledge
    near = (rows - ledge) / (HEIGHT - ledge)
    texture = rng.normal(0, 1, (HEIGHT // 2 + 1, WIDTH // 2))
    texture = texture.repeat(2 * scale, 0).repeat(2 * scale, 1)[:HEIGHT * scale]
    shadow = 1 - 0.8 * np.exp(-((x - 90) / 210) ** 2 - ((rows - ledge - 18) / 24) ** 2)
    bare = (0.035 + 0.045 * near) * (1 + 0.10 * texture) * shadow
    bare *= 1 + 0.9 * np.exp(-((x + 420) / 500) ** 2)
    bare = bare[..., None] * np.array([1, 0.84, 0.7])
    light = np.where((stone & ~inside)[..., None], bare, light)
    alpha = (inside | stone).astype(float)
    picture = np.concatenate([light * alpha[..., None], alpha[..., None]], -1)
    picture = picture.reshape(HEIGHT, scale, WIDTH, scale, 4).mean((1, 3))
    alpha = picture[..., 3:]
    save("piece", np.concatenate([encode(picture[..., :3] / np.maximum(alpha, 1e-6)), alpha], -1))


# ---- a town from above


class Camera:
    """High above the ground, and looks down at it."""

    def __init__(self, width, height, pitch, up, focus):
        self.middle = width / 2, height / 2
        self.sine, self.cosine = np.sin(pitch), np.cos(pitch)
        self.up, self.focus = up, focus

    def depth(self, x, y, z):
        return y * self.cosine + (self.up - z) * self.sine

    def see(self, x, y, z=0.0):
        """x to the right, y away, z up."""
        scale = self.focus / self.depth(x, y, z)
        down = (self.up - z) * self.cosine - y * self.sine
        return self.middle[0] + x * scale, self.middle[1] + down * scale


def draw_house(see, x, y, width, depth, height, roof, wall, tiles):
    left, right, front, back, middle = x, x + width, y, y + depth, y + depth / 2
    faces = []
    side = right if x + width < 0 else left  # the one that is seen
    gable = [(side, front, 0), (side, back, 0), (side, back, height),
             (side, middle, height + roof), (side, front, height)]
    faces.append((gable, wall, 0.72 if side == left else 0.95))
    faces.append(([(left, front, 0), (right, front, 0), (right, front, height),
                   (left, front, height)], wall, 0.85))
    faces.append(([(left, back, height), (right, back, height), (right, middle, height + roof),
                   (left, middle, height + roof)], tiles, 0.7))
    faces.append(([(left, front, height), (right, front, height), (right, middle, height + roof),
                   (left, middle, height + roof)], tiles, 1.0))
    shapes = [polygon([see(*p) for p in points], colour(rgb, shade))
              for points, rgb, shade in faces]
    for k in range(int(width / 2.4)):  # windows
        at = left + 1.1 + 2.4 * k
        for low in np.arange(1.2, height - 1.2, 2.9):
            shapes.append(polygon([see(at, front, low), see(at + 1.1, front, low),
                                   see(at + 1.1, front, low + 1.4), see(at, front, low + 1.4)],
                                  "rgb(52,60,74)"))
    return shapes


def draw_tree(see, x, y, size, rng):
    shapes = []
    green = np.array([0.26, 0.42, 0.16]) * rng.uniform(0.8, 1.25)
    for lift, part, shade in ((0.9, 1, 0.6), (1.15, 0.85, 0.85), (1.4, 0.6, 1.15)):
        px, py = see(x - 0.25 * size * (lift - 0.9), y, size * lift)
        r = abs(see(x + size * part, y, size * lift)[0] - px)
        shapes.append(f"fill {colour(green, shade)} circle {px:.1f},{py:.1f} {px + r:.1f},{py:.1f}")
    return shapes


def draw_box(see, x, y, width, depth, low, high, rgb):
    corners = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]
    shapes = [polygon([see(*corners[0], low), see(*corners[1], low), see(*corners[1], high),
                       see(*corners[0], high)], colour(rgb, 0.7))]
    a, b = (corners[1], corners[2]) if x < 0 else (corners[0], corners[3])
    shapes.append(polygon([see(*a, low), see(*b, low), see(*b, high), see(*a, high)],
                          colour(rgb, 0.55)))
    shapes.append(polygon([see(*c, high) for c in corners], colour(rgb)))
    return shapes


def draw_car(see, x, y, along, rgb):
    width, depth = (4.2, 1.9) if along else (1.9, 4.2)
    shapes = draw_box(see, x, y, width, depth, 0.25, 0.95, rgb)
    if along:
        return shapes + draw_box(see, x + 1.0, y + 0.15, 2.1, 1.6, 0.95, 1.5, np.array(rgb) * 0.55)
    return shapes + draw_box(see, x + 0.15, y + 1.0, 1.6, 2.1, 0.95, 1.5, np.array(rgb) * 0.55)


CARS = [(0.82, 0.12, 0.10), (0.95, 0.95, 0.92), (0.12, 0.30, 0.62), (0.95, 0.75, 0.12),
        (0.12, 0.12, 0.14), (0.55, 0.60, 0.62)]
TILES = [(0.72, 0.31, 0.20), (0.62, 0.26, 0.18), (0.45, 0.30, 0.26), (0.40, 0.42, 0.46)]
WALLS = [(0.93, 0.88, 0.76), (0.90, 0.80, 0.62), (0.82, 0.70, 0.58), (0.86, 0.88, 0.88)]


def make_town(rng):
    camera = Camera(1200, 800, np.radians(38), 95, 1150)
    see = camera.see
    ground = []

    def lay(left, right, front, back, rgb):
        ground.append(polygon([see(left, front), see(right, front), see(right, back),
                               see(left, back)], colour(rgb)))

    lay(-600, 600, -30, 900, (0.47, 0.58, 0.30))
    things = []  # what stands on the ground: how far it is, and its shapes
    street, block = 11, 44
    for i in range(-9, 9):
        for j in range(0, 14):
            left, front = i * block + street / 2, 20 + j * block + street / 2
            if (i * 7 + j * 3) % 11 == 4:  # a park
                for _ in range(26):
                    x, y = left + rng.uniform(2, 31), front + rng.uniform(2, 31)
                    things.append((y, draw_tree(see, x, y, rng.uniform(1.6, 2.9), rng)))
                continue
            lay(left, left + 33, front, front + 33, (0.66, 0.64, 0.58))
            lay(left + 2, left + 31, front + 2, front + 31, (0.52, 0.60, 0.33))
            for x in (left + 2, left + 18):
                for y in (front + 3, front + 19):
                    width, depth = rng.uniform(9.5, 13.5), rng.uniform(8, 10.5)
                    things.append((y + depth / 2, draw_house(
                        see, x, y, width, depth, rng.choice([3.2, 6.1, 6.1, 9.0]),
                        rng.uniform(2.4, 4), WALLS[rng.integers(4)], TILES[rng.integers(4)])))
            for _ in range(7):
                x, y = left + rng.uniform(1, 32), front + rng.choice([1.4, 16.4, 31.6])
                things.append((y, draw_tree(see, x, y, rng.uniform(1.0, 1.9), rng)))
    for i in range(-9, 10):
        x = i * block
        lay(x - 4, x + 4, -30, 700, (0.36, 0.36, 0.38))
        for y in np.arange(8, 420, 15):
            if rng.random() < 0.4:
                side = rng.choice([-2.9, 1.0])
                things.append((y, draw_car(see, x + side, y, False, CARS[rng.integers(6)])))
    for j in range(0, 14):
        y = 20 + j * block
        lay(-600, 600, y - 4, y + 4, (0.36, 0.36, 0.38))
        for x in np.arange(-600, 600, 4.0):
            lay(x, x + 2, y - 0.15, y + 0.15, (0.9, 0.9, 0.86))
        for x in np.arange(-390, 390, 13):
            if rng.random() < 0.45:
                side = rng.choice([-2.9, 1.0])
                things.append((y + side, draw_car(see, x, y + side, True, CARS[rng.integers(6)])))
    shapes = [s for _, part in sorted(things, key=lambda thing: -thing[0]) for s in part]
    draw("town", 1200, 800, "rgb(150,170,120)", ground + shapes)


# ---- a car in its street


def make_street(rng):
    shapes = []
    for k in range(80):
        shapes.append(f"fill {colour((0.50 + k * 0.005, 0.66 + k * 0.004, 0.86))} "
                      f"rectangle 0,{k * 6} 1200,{k * 6 + 6}")
    x = -30
    while x < 1200:
        width, top = int(rng.integers(120, 210)), int(rng.integers(90, 210))
        wall = np.array(WALLS[rng.integers(4)]) * rng.uniform(0.7, 1)
        shapes.append(f"fill {colour(wall)} rectangle {x},{top} {x + width},470")
        shapes.append(polygon([(x - 6, top), (x + width + 6, top), (x + width - 20, top - 46),
                               (x + 20, top - 46)], colour(TILES[rng.integers(4)])))
        for wx in range(x + 18, x + width - 30, 42):
            for wy in range(top + 22, 390, 62):
                shapes.append("fill rgb(245,242,235) "
                              f"rectangle {wx - 3},{wy - 3} {wx + 27},{wy + 41}")
                shapes.append(f"fill {colour((0.22, 0.28, 0.34), rng.uniform(0.7, 1.6))} "
                              f"rectangle {wx},{wy} {wx + 24},{wy + 38}")
        x += width + int(rng.integers(0, 26))
    for x in range(40, 1200, 170):
        x += int(rng.integers(-30, 30))
        shapes.append(f"fill rgb(84,62,44) rectangle {x - 6},330 {x + 6},480")
        for _ in range(40):
            dx, dy, r = rng.normal(0, 34), rng.normal(0, 34), rng.uniform(10, 24)
            shapes.append(f"fill {colour((0.25, 0.42, 0.17), rng.uniform(0.65, 1.3))} "
                          f"circle {x + dx:.0f},{285 + dy:.0f} {x + dx + r:.0f},{285 + dy:.0f}")
    shapes.append("fill rgb(172,168,160) rectangle 0,470 1200,510")
    shapes.append("fill rgb(120,118,114) rectangle 0,506 1200,514")
    shapes.append("fill rgb(86,87,92) rectangle 0,514 1200,800")
    for x in range(-60, 1200, 210):
        shapes.append(f"fill rgb(225,222,210) rectangle {x},716 {x + 110},728")
    for _ in range(5000):
        x, y, g = rng.uniform(0, 1200), rng.uniform(514, 800), rng.integers(62, 112)
        shapes.append(f"fill rgb({g},{g},{g + 3}) "
                      f"rectangle {x:.0f},{y:.0f} {x + 3:.0f},{y + 1:.0f}")
    draw("street", 1200, 800, "white", shapes)


WHEELS = (372, 590, 76), (838, 590, 76)  # x, y and radius


def make_car(rng):
    red = "rgb(196,30,26)"
    shapes = ["fill rgba(20,20,24,0.55) ellipse 605,662 380,20 0,360"]
    shapes.append(f"fill {red} path 'M 205,600 C 196,540 205,505 262,494 C 330,478 372,470 404,448 "
                  "C 462,398 520,386 622,388 C 712,390 752,420 800,464 C 880,472 946,488 986,520 "
                  "C 1006,546 1006,580 1000,604 L 940,618 L 260,618 Z'")
    shapes.append("fill rgb(232,92,80) path 'M 262,494 C 330,480 372,472 404,450 C 560,468 700,470 "
                  "800,464 C 880,472 946,488 980,514 C 760,492 480,492 262,500 Z'")
    shapes.append("fill rgb(40,52,64) path 'M 428,452 C 474,412 520,402 590,402 L 592,462 Z'")
    shapes.append("fill rgb(40,52,64) path 'M 606,402 C 690,402 730,424 768,462 L 608,463 Z'")
    shapes.append("fill rgb(120,146,166) path 'M 452,446 C 488,416 520,408 560,406 L 520,450 Z'")
    shapes.append("fill rgb(120,146,166) path 'M 622,406 C 660,406 690,414 712,430 L 650,458 Z'")
    shapes.append("fill none stroke rgb(130,16,14) stroke-width 3 path 'M 598,402 L 598,596' "
                  "path 'M 404,452 C 420,520 424,560 440,600' "
                  "path 'M 800,466 C 770,540 768,570 760,600' stroke none")
    shapes.append("fill rgb(120,14,12) path 'M 205,600 L 1000,604 L 992,622 L 215,622 Z'")
    shapes.append("fill rgb(255,240,196) ellipse 978,532 16,13 0,360 fill rgb(255,70,50) "
                  "rectangle 206,520 222,546 fill rgb(226,226,222) rectangle 616,494 652,501")
    for x, y, radius in WHEELS:
        shapes.append(f"fill rgb(24,18,18) circle {x},{y - 4} {x + radius + 10},{y - 4}")
    for x, y, radius in WHEELS:
        shapes += draw_wheel(x, y, radius)
    draw("car", 1200, 800, "none", shapes, 0)


def draw_wheel(x, y, radius):
    shapes = [f"fill rgb(28,28,30) circle {x},{y} {x + radius},{y}",
              f"fill rgb(60,60,64) circle {x},{y} {x + radius * 0.70:.0f},{y}"]
    for k in range(5):
        angle = np.radians(72 * k + 10)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        spoke = [(0.08, -0.13), (0.68, -0.09), (0.68, 0.09), (0.08, 0.13)]
        shapes.append(polygon([(x, y) + turn @ np.array(p) * radius for p in spoke],
                              "rgb(206,208,212)"))
    ring = f"{x},{y} {x + radius * 0.68:.0f},{y}"
    return shapes + [f"fill none stroke rgb(206,208,212) stroke-width 5 circle {ring} stroke none",
                     f"fill rgb(170,172,176) circle {x},{y} {x + radius * 0.16:.0f},{y}"]


# ---- a big wheel at night


def make_wheel(rng):
    size, centre = 1200, np.array([600.0, 400.0])
    y = np.linspace(0, 1, 800)[:, None, None]
    light = np.repeat(np.array([0.004, 0.006, 0.022]) * (1 - y) + np.array([0.05, 0.018, 0.03]) * y,
                      size, axis=1)
    hues = [(1, 0.25, 0.35), (1, 0.75, 0.25), (0.3, 0.65, 1), (0.45, 1, 0.5)]
    rows, columns = np.mgrid[0:800, 0:size]
    angle = np.arctan2(rows - centre[1], columns - centre[0])
    distance = np.hypot(rows - centre[1], columns - centre[0])
    for radius in (150, 318, 336):
        light += (np.clip(2 - np.abs(distance - radius), 0, 1) * 0.05)[..., None]
    for k in range(24):  # spokes, and lamps on every second one
        at = 2 * np.pi * k / 24
        away = np.abs(np.sin(angle - at)) * distance
        on = (np.cos(angle - at) > 0) & (distance < 336)
        light += (np.clip(1.6 - away, 0, 1) * on * 0.035)[..., None]
        direction = np.array([np.cos(at), np.sin(at)])
        if k % 2 == 0:
            for r in np.arange(60, 320, 26):
                add_lamp(light, *(centre + direction * r), 4, hues[(k // 2) % 4])
        add_lamp(light, *(centre + direction * 336), 7, (1, 0.8, 0.5))
    add_lamp(light, *centre, 11, (1, 0.9, 0.7))
    for k in range(70):
        add_lamp(light, rng.uniform(0, size), rng.uniform(748, 795), rng.uniform(1.4, 2.6),
                 hues[rng.integers(4)])
    save("wheel", encode(light) + rng.normal(0, 0.004, light.shape))


# ---- what spoils a photograph


def make_dust(rng):
    """Specks and fibres, and scratches from top to bottom, as a scanner sees them."""
    width, height, shapes = 600, 400, []
    for _ in range(170):
        x, y, size = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.5, 2.2)
        grey = (250, 244, 230) if rng.random() < 0.75 else (20, 18, 16)
        shapes.append(f"fill rgba({grey[0]},{grey[1]},{grey[2]},0.95) stroke none ellipse "
                      f"{x:.1f},{y:.1f} {size:.1f},{size * rng.uniform(0.5, 1):.1f} 0,360")
    shapes.append("fill none stroke rgba(250,246,236,0.9) stroke-width 1.3")
    for _ in range(9):
        (x, y), turn = rng.uniform(0, (width, height)), rng.uniform(0, 2 * np.pi)
        bend = [f"{x + rng.uniform(-18, 18):.1f},{y + rng.uniform(-18, 18):.1f}" for _ in range(2)]
        end = f"{x + 26 * np.cos(turn):.1f},{y + 26 * np.sin(turn):.1f}"
        shapes.append(f"path 'M {x:.1f},{y:.1f} C {bend[0]} {bend[1]} {end}'")
    for _ in range(7):
        x, top, part = rng.uniform(0, width), rng.uniform(-100, 250), rng.uniform(120, 400)
        shapes.append(f"stroke-width {rng.uniform(0.7, 1.6):.1f} path 'M {x:.1f},{top:.0f} L "
                      f"{x + rng.uniform(-5, 5):.1f},{top + part:.0f}'")
    draw("dust", width, height, "none", shapes, 0)


def make_hot(rng):
    """Pixels of one colour with their neighbours, to which a camera's interpolation spreads it."""
    picture = np.zeros((427, 640, 4))
    for _ in range(420):
        x, y, tint = rng.integers(1, 639), rng.integers(1, 426), np.eye(3)[rng.integers(3)]
        for dx, dy, share in ((0, 0, 1.0), (1, 0, 0.5), (-1, 0, 0.5), (0, 1, 0.5), (0, -1, 0.5)):
            picture[y + dy, x + dx] = *(0.4 + 0.6 * tint), share * 0.95
    save("hot", picture)


for make in (make_night, make_piece, make_town, make_street, make_car, make_wheel, make_dust,
             make_hot):
    make(np.random.default_rng(7))
