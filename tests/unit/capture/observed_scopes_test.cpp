#include "engine/capture/observed_scopes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace warpglass::test::observed_scopes_test {

using Scope = ObservedScopes::Scope;

// Against a stack that remembers everything.
TEST(ObservedScopes, AnEndKnowsWhatBegan) {
    std::mt19937 random(1);
    ObservedScopes scopes;
    std::vector<bool> oracle;
    int tooDeep = 0;
    for (int i = 0; i < 200000; ++i) {
        // Goes up and down, now and then beyond 64 and down to nothing.
        if (random() % 100 < ((i / 500) % 2 ? 60u : 40u)) {
            oracle.push_back(random() % 3 != 0);
            scopes.begin(oracle.back());
            continue;
        }
        const Scope ended = scopes.end();
        if (oracle.empty()) {
            ASSERT_EQ(ended, Scope::kNone);
            continue;
        }
        const Scope expected = oracle.size() > 64 ? Scope::kTooDeep
                               : oracle.back()    ? Scope::kOp
                                                  : Scope::kOther;
        tooDeep += expected == Scope::kTooDeep;
        ASSERT_EQ(ended, expected) << i;
        oracle.pop_back();
    }
    EXPECT_GT(tooDeep, 100);
}

}  // namespace warpglass::test::observed_scopes_test
