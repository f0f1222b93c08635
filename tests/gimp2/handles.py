"""The handles on the canvas of GIMP's own Focus Blur, over an image of SIZE, while the other
settings have their defaults."""

FILTER, DIALOG = "focus-blur", "^Focus Blur$"
SIZE = 360, 300

# Each drag goes on from the one before: from where and to where, in pixels from the middle of the
# image. Beside its handles, a circle keeps its shape, and an outer one leaves the inner one alone.
DRAGS = [((95, 95), (110, 110)),  # the outer circle
         ((-24, -24), (-40, -40)),  # the inner circle
         ((75, -75), (85, -85)),  # the dashed one, where half of the strength is
         ((156, 0), (130, 0)),  # the outer circle's handle at the right
         ((12, 12), (-68, 42))]  # all

# The settings afterwards, within what is NEAR.
VALUES = {"x": 100 / SIZE[0], "y": 180 / SIZE[1], "radius": 0.864, "focus": 0.364,
          "midpoint": 0.643, "aspect_ratio": -0.164}
NEAR = 0.015


def drag(screen, middle, start, end):
    """The pointer first comes near, as GIMP takes what it has last been over."""
    (x, y), (to_x, to_y) = ([sum(pair) for pair in zip(middle, place)] for place in (start, end))
    for words in (("mousemove", x - 2, y), ("mousemove", x, y), ("mousedown", 1),
                  ("mousemove", (x + to_x) // 2, (y + to_y) // 2), ("mousemove", to_x, to_y),
                  ("mouseup", 1)):
        screen.xdotool(*words)
        screen.rest()


def check_values(values):
    assert all(abs(values[name] - value) <= NEAR for name, value in VALUES.items()), values


def centre_on_pixel(values):
    """These settings as our blur takes them."""
    return values | {name: (int(values[name] * size) + 0.5) / size
                     for name, size in zip("xy", SIZE)}
