// What a page holds, as a list under heads: one entry is in front, a click or the arrow keys bring another.
#pragma once

#include <QListWidget>
#include <vector>

namespace warpglass::ui {

class ContentsList : public QListWidget {
    Q_OBJECT
public:
    struct Section {
        QString head;
        QStringList titles;
    };
    explicit ContentsList(QWidget* parent = nullptr);

    /// Entries count from 0 over all sections; sections without titles are left out. The first comes to the
    /// front, without chosen().
    void setSections(const std::vector<Section>& sections);
    int entryCount() const { return m_count; }
    /// −1 while there is none.
    int current() const;
    /// Emits chosen() where it is another than before.
    void setCurrent(int entry);

    /// As high as all of it.
    QSize sizeHint() const override;

signals:
    void chosen(int entry);

private:
    int m_count = 0;
};

}  // namespace warpglass::ui
