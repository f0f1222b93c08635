"""Where all kinds of samples go, what they are made of, and how large they are."""

import os
import random
import sys

FOLDER, RGB, GREY, SMALL, LINE, WRITTEN, WEBP = sys.argv[1:]
WIDTH, HEIGHT = 61, 43
random.seed(5)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(name, data):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)


def noise(size):
    return bytes(random.randrange(256) for _ in range(size))
