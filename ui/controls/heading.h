// What stands over a view's figure: its title and one sentence on what it shows, so that the figure is
// understood without its file's name.
#pragma once

#include <QString>

namespace warpglass::ui {

struct Heading {
    /// Empty for what the window calls the view.
    QString title;
    /// Computed from the run by engine/query; empty where the data carry none.
    QString finding;
};

/// A view with a finding. GUI thread only.
class Headed {
public:
    virtual ~Headed() = default;
    /// The heading of what the view shows now, once it is refreshed.
    virtual Heading heading() const = 0;
};

}  // namespace warpglass::ui
