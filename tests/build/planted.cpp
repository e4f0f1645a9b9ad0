// A library or program of no purpose but to be linked: check_boundaries_test.py looks at what it links.
#ifdef PLANTED_PROGRAM
int planted();
int main() {
    return planted();
}
#elif defined(PLANTED_MIDDLE)
int planted_below();
int planted() {
    return planted_below();
}
#elif defined(PLANTED_BELOW)
int planted_below();
int planted_below() {
    return 0;
}
#else
int planted();
int planted() {
    return 0;
}
#endif
