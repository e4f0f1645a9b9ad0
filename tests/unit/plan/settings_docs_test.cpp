// What the documents say of the settings is what the table says. To write them anew:
// `cmake --build build/dev --target update-settings-docs`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "engine/base/format.h"
#include "engine/plan/settings.h"

namespace warpglass::test::settings_docs_test {

constexpr const char* kReadmeHead = "| option | what it says |\n|---|---|\n";

std::string code(std::string_view word) {
    return "`" + std::string(word) + "`";
}

/// "`fp32`, `bf16`; on a GPU also `tf32`, `fp16`".
std::string wordsOf(std::span<const Choice> choices, const char* onGpu = "; on a GPU also ") {
    std::string text;
    for (const auto& [devices, lead] :
         {std::pair{Devices::kAll, ""}, {Devices::kCpu, "; on the CPU also "}, {Devices::kGpu, onGpu}}) {
        std::string words;
        for (const Choice& choice : choices) {
            if (choice.devices == devices)
                words += (words.empty() ? lead : ", ") + code(choice.word);
        }
        text += words;
    }
    return text;
}

std::string description(const Setting& setting) {
    std::string text(setting.help);
    if (std::holds_alternative<OwnKernels>(setting.kind))
        text += ": `library`; on a GPU also `fused`, or some of " + wordsOf(setting.choices(), "");
    else if (!setting.choices().empty())
        text += ": " + wordsOf(setting.choices());
    if (std::holds_alternative<SomeOf>(setting.kind))
        text += "; or `all`, or `none`";
    if (std::holds_alternative<ModelName>(setting.kind)) {
        for (const ModelPreset& preset : modelPresets())
            text += (&preset == modelPresets().data() ? ": " : ", ") + code(preset.name);
        text += "; or `custom`, with the sizes below";
    }
    return text;
}

std::string usual(const Setting& setting) {
    const bool isPresets =
        setting.panel.part == PanelPart::kSizes && setting.appliesTo != AppliesTo::kAttention;
    return isPresets                                      ? "the preset's"
           : std::holds_alternative<SomeOf>(setting.kind) ? "`all`"
                                                          : code(setting.text({}));
}

std::string bounds(const Setting& setting) {
    const auto* number = std::get_if<WholeNumber>(&setting.kind);
    return number ? formatGrouped(number->least) + " to " + formatGrouped(number->most) : "";
}

std::string where(Devices devices) {
    return devices == Devices::kCpu ? "CPU" : devices == Devices::kGpu ? "GPU" : "";
}

std::string readmeTable() {
    std::string text = kReadmeHead;
    for (const Setting& setting : settings())
        text += "| " + code("--" + std::string(setting.key)) + " | " + description(setting) + " |\n";
    return text;
}

std::string settingsPage() {
    std::string text =
        "# Settings of a run\n\n"
        "Each is an option of `warpglass-cli run`, those that make a difference to what a run needs of "
        "`estimate` "
        "too, and a field of the window's run\npanel. A run file has it as `config.` and its name. This page "
        "is made "
        "from the table in `engine/plan/settings.cpp`, and a test compares them.\n\n"
        "| option | what it says | unless given | bounds | where |\n|---|---|---|---|---|\n";
    for (const Setting& setting : settings())
        text += "| " + code("--" + std::string(setting.key)) + " | " + description(setting) + " | " +
                usual(setting) + " | " + bounds(setting) + " | " + where(setting.devices) + " |\n";
    for (const Setting& setting : settings()) {
        if (setting.choices().empty())
            continue;
        text += "\n## " + code("--" + std::string(setting.key)) +
                "\n| word | what it is | where |\n|---|---|---|\n";
        for (const Choice& choice : setting.choices())
            text += "| " + code(choice.word) + " | " + std::string(choice.toolTip) + " | " +
                    where(choice.devices) + " |\n";
    }
    return text;
}

std::string read(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// With WARPGLASS_UPDATE_DOCS=1 the document is written instead.
void expectSays(const std::string& name, const std::string& wanted) {
    const std::string path = WARPGLASS_SOURCE_DIR "/" + name;
    if (std::getenv("WARPGLASS_UPDATE_DOCS")) {
        std::ofstream(path) << wanted;
        return;
    }
    EXPECT_TRUE(read(path) == wanted) << name << " is not what the table of settings says; " << wanted;
}

TEST(SettingsDocs, ThePageIsTheTable) {
    expectSays("docs/settings.md", settingsPage());
}

TEST(SettingsDocs, TheReadmesTableIsTheTable) {
    const std::string readme = read(WARPGLASS_SOURCE_DIR "/README.md");
    const std::size_t begin = readme.find(kReadmeHead), end = readme.find("\n\n", begin) + 1;
    ASSERT_NE(begin, std::string::npos);
    expectSays("README.md", readme.substr(0, begin) + readmeTable() + readme.substr(end));
}

}  // namespace warpglass::test::settings_docs_test
