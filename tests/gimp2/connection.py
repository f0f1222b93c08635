"""A process in GIMP that makes the calls that tests ask for (server.py). Objects stay there, and
tests have Remotes of them."""

import os
import pickle
import socket

CALL_SECONDS = float(os.environ.get("CUDA_BLUR_TEST_TIMEOUT", "120"))
START_SECONDS = 120.0


class Remote:
    """An object in the process: its attributes are there, and so is what its calls do."""

    def __init__(self, connection, number):
        self._connection, self._number = connection, number

    def __getattr__(self, name):
        return self._connection.ask(self._connection.getattr, self, name)

    def __call__(self, *arguments, **options):
        return self._connection.ask(self, *arguments, **options)


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        return value._number if isinstance(value, Remote) else None


class Unpickler(pickle.Unpickler):
    def __init__(self, connection):
        super().__init__(connection.stream)
        self.connection = connection

    def persistent_load(self, number):
        return Remote(self.connection, number)


class Connection:
    """Waits for the process at a socket of that name in the folder."""

    def __init__(self, folder, name):
        path = os.path.join(folder, name)
        if os.path.exists(path):  # that of the GIMP before
            os.unlink(path)
        self.listener = socket.socket(socket.AF_UNIX)
        descriptor = os.open(folder, os.O_PATH)
        # The folder's own path may be longer than a socket's address.
        self.listener.bind(f"/proc/self/fd/{descriptor}/{name}")
        os.close(descriptor)
        self.listener.listen()
        self.socket = self.stream = None
        self.getattr, self.load = Remote(self, 0), Remote(self, 1)

    def accept(self):
        self.listener.settimeout(START_SECONDS)
        self.socket = self.listener.accept()[0]
        self.socket.settimeout(CALL_SECONDS)
        self.stream = self.socket.makefile("rwb")

    def hang_up(self):
        if self.stream:
            self.stream.close()
            self.socket.close()

    def close(self):
        self.hang_up()
        self.listener.close()

    def begin(self, function, *arguments, **options):
        """Begins a call."""
        Pickler(self.stream).dump((function, arguments, options))
        self.stream.flush()

    def finish(self):
        """Waits for its end."""
        well, value = Unpickler(self).load()
        assert well, value
        return value

    def ask(self, function, *arguments, **options):
        self.begin(function, *arguments, **options)
        return self.finish()
