// A library that is no runner.
extern "C" int warpglassTestNothing() {
    return 0;
}
