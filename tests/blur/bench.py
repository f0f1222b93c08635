"""What filters.py and auto.py of ../bench time of the Gaussian."""

from table import VIEWS, Table, make_views


def blur(*more):
    def make(size):
        return ["cuda-gaussian-blur", f"sigma-x={size}", f"sigma-y={size}", *more], None
    return make


TABLES = {
    "gaussian": Table(blur(), "0.5,1.5,3,6,8,10,50,200,1000", "float,u8", "resident,cpu",
                      peer="gaussian"),
    "gaussian-perceptual": Table(blur("light=perceptual"), "1,2,3,5", "u8-opaque", "cpu"),
    "views": make_views(blur(), "2,10,50,1000", VIEWS + ",changed-gpu:0.1"),
}
CHOICES = [("gaussian-blur", {"sigma_x": sigma, "sigma_y": sigma}) for sigma in (2.0, 20.0)]
