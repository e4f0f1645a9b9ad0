// One drawing for both themes, and two where they draw different shapes.
#include "engine/report/svg_themes.h"

#include <gmock/gmock.h>

#include "tests/support/html_page.h"

namespace warpglass::test::svg_themes_test {

using testing::HasSubstr;
using testing::Not;

std::string drawing(const std::string& fill, const std::string& shape) {
    return "<?xml version=\"1.0\"?>\n<svg width=\"10mm\" viewBox=\"0 0 80 40\" "
           "version=\"1.2\">\n<title>T</title>"
           "<desc>D</desc><linearGradient id=\"g1\"/><path fill=\"" +
           fill + "\" d=\"" + shape +
           "\"/><path fill=\"url(#g1)\" d=\"M1 1\"/><text fill=\"#112233\">a #445566 b</text></svg>\n";
}

HtmlElement read(const std::string& svg) {
    return readHtml("<!DOCTYPE html><div>" + svg + "</div>");
}

TEST(SvgThemes, OneDrawingWithAVariableForEachPairOfColors) {
    ThemedColors colors;
    const std::string svg =
        inlineSvg({drawing("#ffffff", "M0 0"), drawing("#000000", "M0 0")}, "fig", "A <label>", colors);
    const HtmlElement page = read(svg);
    ASSERT_EQ(page.all("svg").size(), 1u);
    const HtmlElement& element = *page.all("svg").front();
    EXPECT_EQ(element.attribute("role"), "img");
    EXPECT_EQ(element.attribute("aria-label"), "A <label>");
    EXPECT_EQ(element.attribute("width"), "80");
    EXPECT_EQ(page.all("path").front()->attribute("fill"), "var(--f0)");
    EXPECT_EQ(page.all("path").back()->attribute("fill"), "url(#fig-g1)");
    EXPECT_EQ(page.all("linearGradient").front()->attribute("id"), "fig-g1");
    // What is alike stays, and text is no color.
    EXPECT_EQ(page.all("text").front()->attribute("fill"), "#112233");
    EXPECT_EQ(page.all("text").front()->text, "a #445566 b");
    EXPECT_EQ(colors.declarations(false), "--f0:#ffffff;");
    EXPECT_EQ(colors.declarations(true), "--f0:#000000;");
    EXPECT_THAT(svg, Not(HasSubstr("<title>")));
}

TEST(SvgThemes, TwoDrawingsWhereTheShapesDiffer) {
    ThemedColors colors;
    const HtmlElement page =
        read(inlineSvg({drawing("#ffffff", "M0 0"), drawing("#000000", "M0 1")}, "fig", "x", colors));
    ASSERT_EQ(page.all("svg").size(), 2u);
    EXPECT_EQ(page.all("svg")[0]->attribute("class"), "light");
    EXPECT_EQ(page.all("svg")[1]->attribute("class"), "dark");
    EXPECT_EQ(page.all("linearGradient")[1]->attribute("id"), "fig-dark-g1");
    EXPECT_EQ(colors.declarations(false), "");
}

TEST(SvgThemes, WhatIsNoDrawingIsAnEmptyOne) {
    ThemedColors colors;
    for (const char* text : {"", "no svg", "<svg", "</svg><svg>"})
        EXPECT_TRUE(read(inlineSvg({text, text}, "fig", "x", colors)).all("path").empty()) << text;
}

}  // namespace warpglass::test::svg_themes_test
