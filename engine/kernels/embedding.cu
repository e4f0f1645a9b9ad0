// The gradient of the table of embeddings. A block has some rows of the table: it looks through all tokens,
// lists those that are its rows', row by row and in order, and sums their gradients, so that nothing is added
// by atomics.
#include <climits>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / kWarp;
/// A multiprocessor has so many at a time.
constexpr int kBlocks = 3;
constexpr int kMostRows = 32;
/// Tokens that are looked at between two barriers; as many are listed at most.
constexpr int kLooked = 2048;
constexpr int kLooks = kLooked / kThreads;
constexpr int kCounts = kLooks * kWarps;

/// The sum of the numbers of the lanes before.
__device__ inline int sumBefore(int number) {
    const int lane = threadIdx.x % kWarp;
    int sum = number;
#pragma unroll
    for (int by = 1; by < kWarp; by *= 2) {
        const int other = __shfl_up_sync(~0u, sum, by);
        sum += lane >= by ? other : 0;
    }
    return sum - number;
}

/// Tokens of the block's rows, in the order of the tokens, and then in that of the rows.
struct Listed {
    int tokens[kLooked];
    std::uint8_t rows[kLooked];
    int byRow[kLooked];
    int begins[kMostRows + 1];  // in byRow
};

constexpr std::uint32_t kNoRow = 0xff;

/// The rows, counted from `first`, of those of the tokens from `begin` on that the thread looks at, a byte
/// each; kNoRow for those of other blocks' rows and behind the last token.
__device__ inline std::uint32_t loadRows(const EmbeddingBackward& call, std::int64_t first, int rows,
                                         std::int64_t begin) {
    static_assert(kLooks == 4 && kMostRows <= kNoRow);
    std::uint32_t found = 0;
#pragma unroll
    for (int i = 0; i < kLooks; ++i) {
        const std::int64_t token = begin + i * kThreads + threadIdx.x;
        const std::int64_t of = token < call.count ? call.tokens[token] - first : -1;
        found |= (of >= 0 && of < rows ? static_cast<std::uint32_t>(of) : kNoRow) << i * 8;
    }
    return found;
}

/// Appends those of the tokens from `begin` on that have a row; gives how many. `counts`: kLooks numbers a
/// warp, which no thread still reads. Nothing is appended where the list has no room: then the number says
/// so.
__device__ inline int look(std::uint32_t row, std::int64_t begin, int listed, Listed& list, int* counts) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    unsigned matches[kLooks];
#pragma unroll
    for (int i = 0; i < kLooks; ++i) {
        matches[i] = __ballot_sync(~0u, (row >> i * 8 & 0xff) != kNoRow);
        if (lane == 0)
            counts[i * kWarps + warp] = __popc(matches[i]);
    }
    __syncthreads();
    static_assert(kCounts == 2 * kWarp);
    const int count = counts[2 * lane], both = count + counts[2 * lane + 1], before = sumBefore(both);
    const int all = __shfl_sync(~0u, before + both, kWarp - 1);
    if (all > 0 && listed + all <= kLooked) {
#pragma unroll
        for (int i = 0; i < kLooks; ++i) {
            const int of = i * kWarps + warp;
            const int place = listed + __shfl_sync(~0u, before, of / 2) +
                              (of % 2 == 1 ? __shfl_sync(~0u, count, of / 2) : 0) +
                              __popc(matches[i] & ((1u << lane) - 1));
            if (matches[i] >> lane & 1) {
                list.tokens[place] = static_cast<int>(begin) + i * kThreads + static_cast<int>(threadIdx.x);
                list.rows[place] = static_cast<std::uint8_t>(row >> i * 8);
            }
        }
    }
    return all;
}

/// Orders what is listed by row, stably. Each warp has some of the rows.
__device__ inline void orderByRow(Listed& list, int listed) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const auto forEachOf = [&](int row, auto use) {
        for (int from = 0; from < listed; from += kWarp)
            use(from, __ballot_sync(~0u, from + lane < listed && list.rows[from + lane] == row));
    };
    for (int row = warp; row < kMostRows; row += kWarps) {
        int count = 0;
        forEachOf(row, [&](int, unsigned matches) { count += __popc(matches); });
        if (lane == 0)
            list.begins[row + 1] = count;
    }
    __syncthreads();
    static_assert(kMostRows == kWarp);
    const int begin = sumBefore(list.begins[lane + 1]);
    for (int row = warp; row < kMostRows; row += kWarps) {
        int place = __shfl_sync(~0u, begin, row);
        forEachOf(row, [&](int from, unsigned matches) {
            if (matches >> lane & 1)
                list.byRow[place + __popc(matches & ((1u << lane) - 1))] = list.tokens[from + lane];
            place += __popc(matches);
        });
    }
    __syncthreads();
    if (warp == 0)
        list.begins[lane] = begin;
    if (threadIdx.x == 0)
        list.begins[kMostRows] = listed;
    __syncthreads();
}

/// Adds what is listed to the block's rows; the first time they begin from 0.
template <int n>
__device__ inline void addListed(const EmbeddingBackward& call, std::int64_t first, int rows, bool again,
                                 const Listed& list) {
    const int pieces = static_cast<int>(call.width / n);
    for (int item = threadIdx.x; item < rows * pieces; item += kThreads) {
        const int row = item / pieces, piece = item % pieces;
        const int begin = list.begins[row], end = list.begins[row + 1];
        if (again && begin == end)
            continue;
        float* const to = call.weightGradient + (first + row) * call.width + piece * n;
        Numbers<n> sum = again ? load<n>(to) : Numbers<n>{};
#pragma unroll 2
        for (int each = begin; each < end; ++each) {
            const Numbers<n> added = load<n>(call.outputGradient + list.byRow[each] * call.width + piece * n);
#pragma unroll
            for (int i = 0; i < n; ++i)
                sum.at[i] += added.at[i];
        }
        store(to, sum);
    }
}

template <int n>
__global__ void __launch_bounds__(kThreads, kBlocks)
    embeddingGradientKernel(EmbeddingBackward call, int rowsOfBlock) {
    __shared__ Listed list;
    __shared__ int counts[2][kCounts];
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * rowsOfBlock;
    const int rows = static_cast<int>(min(static_cast<std::int64_t>(rowsOfBlock), call.vocabulary - first));
    int listed = 0, looks = 0;
    bool again = false;
    const auto add = [&] {
        __syncthreads();
        orderByRow(list, listed);
        addListed<n>(call, first, rows, again, list);
        listed = 0;
        again = true;
        __syncthreads();
    };
    std::uint32_t next = loadRows(call, first, rows, 0);
    for (std::int64_t begin = 0; begin < call.count; begin += kLooked) {
        const std::uint32_t row = next;
        next = loadRows(call, first, rows, begin + kLooked);  // while the threads wait for each other
        // Two sets of counts: a thread may still read the last ones.
        int found = look(row, begin, listed, list, counts[looks++ % 2]);
        if (listed + found > kLooked) {
            add();
            found = look(row, begin, 0, list, counts[looks++ % 2]);
        }
        listed += found;
    }
    if (listed > 0 || !again)
        add();
}

}  // namespace

int embeddingBackward(const EmbeddingBackward& call, void* stream) {
    if (call.vocabulary == 0 || call.width == 0)
        return cudaSuccess;
    if (call.count > INT_MAX - kLooked || call.width > (INT_MAX - kThreads) / kMostRows)
        return cudaErrorInvalidValue;
    int device = 0, processors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    // All blocks at once where that takes few rows each: each looks through all tokens before it writes.
    const std::int64_t atOnce = static_cast<std::int64_t>(processors) * kBlocks;
    const int rows =
        static_cast<int>(min(static_cast<std::int64_t>(kMostRows), (call.vocabulary + atOnce - 1) / atOnce));
    const auto blocks = static_cast<unsigned>((call.vocabulary + rows - 1) / rows);
    return withPieces(call.width % 4 == 0, [&](auto n) {
        embeddingGradientKernel<n.value>
            <<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(call, rows);
        return cudaGetLastError();
    });
}

}  // namespace warpglass::kernels
