// Matchers of Qt's texts, which show the whole text where it is another.
#pragma once

#include <gmock/gmock.h>

#include <QString>

namespace warpglass::test {

MATCHER_P(HasQString, part, (negation ? "lacks " : "has ") + part.toStdString()) {
    *result_listener << "it is " << arg.toStdString();
    return arg.contains(part);
}
MATCHER_P(BeginsWithQString, part,
          (negation ? "does not begin with " : "begins with ") + part.toStdString()) {
    *result_listener << "it is " << arg.toStdString();
    return arg.startsWith(part);
}

inline auto HasText(const QString& part) {
    return HasQString(part);
}
inline auto BeginsWith(const QString& part) {
    return BeginsWithQString(part);
}

}  // namespace warpglass::test
