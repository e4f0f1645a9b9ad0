#include "engine/runner/memory_snapshot.h"

#include <exception>
#include <string_view>
#include <utility>

#include "engine/base/whole_file.h"

namespace warpglass {

MemorySnapshotScope::MemorySnapshotScope(Gpu* gpu, std::filesystem::path path, std::string& problem)
    : m_gpu(gpu), m_path(std::move(path)), m_problem(problem) {
    if (!m_path.empty())
        m_gpu->beginMemoryHistory();
}

MemorySnapshotScope::~MemorySnapshotScope() {
    if (m_path.empty())
        return;
    try {
        if (const Status written = writeWholeFile(m_path, m_gpu->takeMemorySnapshot()); !written)
            m_problem = written.message();
    } catch (const std::exception& error) {
        const std::string_view what = error.what();
        m_problem = "The memory snapshot " + m_path.string() +
                    " could not be taken: " + std::string(what.substr(0, what.find('\n')));
    }
}

}  // namespace warpglass
