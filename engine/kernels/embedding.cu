// The gradient of the table of embeddings. A block has some rows of the table: it looks through all tokens,
// lists those that are its rows', row by row and in order, and sums their gradients, so that nothing is added
// by atomics.
#include <climits>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kRowsOfBlock = 32;
/// Tokens that are looked at between two barriers; as many are listed at most.
constexpr int kLooked = 1024;
constexpr int kLooks = kLooked / kThreads;

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
    int begins[kRowsOfBlock + 1];  // in byRow
};

/// Appends those of the tokens from `begin` on that are of the rows from `first` on; gives how many.
/// `counts`: kLooks numbers a warp, which no thread still reads. Nothing is appended where the list has no
/// room: then the number says so.
__device__ inline int look(const EmbeddingBackward& call, std::int64_t first, std::int64_t begin, int listed,
                           Listed& list, int* counts) {
    static_assert(kLooks * kWarps == kWarp);
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    std::int64_t rows[kLooks];
#pragma unroll
    for (int i = 0; i < kLooks; ++i) {
        const std::int64_t token = begin + i * kThreads + threadIdx.x;
        rows[i] = token < call.count ? call.tokens[token] - first : -1;
    }
    unsigned matches[kLooks];
#pragma unroll
    for (int i = 0; i < kLooks; ++i) {
        matches[i] = __ballot_sync(~0u, rows[i] >= 0 && rows[i] < kRowsOfBlock);
        if (lane == 0)
            counts[i * kWarps + warp] = __popc(matches[i]);
    }
    __syncthreads();
    const int count = counts[lane], before = sumBefore(count);
    const int all = __shfl_sync(~0u, before + count, kWarp - 1);
    if (listed + all <= kLooked) {
#pragma unroll
        for (int i = 0; i < kLooks; ++i) {
            const int place = listed + __shfl_sync(~0u, before, i * kWarps + warp) +
                              __popc(matches[i] & ((1u << lane) - 1));
            if (matches[i] >> lane & 1) {
                list.tokens[place] = static_cast<int>(begin) + i * kThreads + static_cast<int>(threadIdx.x);
                list.rows[place] = static_cast<std::uint8_t>(rows[i]);
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
    for (int row = warp; row < kRowsOfBlock; row += kWarps) {
        int count = 0;
        forEachOf(row, [&](int, unsigned matches) { count += __popc(matches); });
        if (lane == 0)
            list.begins[row + 1] = count;
    }
    __syncthreads();
    static_assert(kRowsOfBlock == kWarp);
    const int begin = sumBefore(list.begins[lane + 1]);
    for (int row = warp; row < kRowsOfBlock; row += kWarps) {
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
        list.begins[kRowsOfBlock] = listed;
    __syncthreads();
}

/// Adds what is listed to the block's rows; the first time they begin from 0.
template <int n>
__device__ inline void addListed(const EmbeddingBackward& call, std::int64_t first, bool again,
                                 const Listed& list) {
    const int pieces = static_cast<int>(call.width / n);
    const int rows = static_cast<int>(min(static_cast<std::int64_t>(kRowsOfBlock), call.vocabulary - first));
    for (int item = threadIdx.x; item < rows * pieces; item += kThreads) {
        const int row = item / pieces, piece = item % pieces;
        const int begin = list.begins[row], end = list.begins[row + 1];
        if (again && begin == end)
            continue;
        float* const to = call.weightGradient + (first + row) * call.width + piece * n;
        Numbers<n> sum = again ? load<n>(to) : Numbers<n>{};
#pragma unroll 4
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
__global__ void embeddingGradientKernel(EmbeddingBackward call) {
    __shared__ Listed list;
    __shared__ int counts[2][kWarp];
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kRowsOfBlock;
    int listed = 0, looks = 0;
    bool again = false;
    const auto add = [&] {
        __syncthreads();
        orderByRow(list, listed);
        addListed<n>(call, first, again, list);
        listed = 0;
        again = true;
        __syncthreads();
    };
    for (std::int64_t begin = 0; begin < call.count; begin += kLooked) {
        // Two sets of counts: a thread may still read the last ones.
        int found = look(call, first, begin, listed, list, counts[looks++ % 2]);
        if (listed + found > kLooked) {
            add();
            found = look(call, first, begin, 0, list, counts[looks++ % 2]);
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
    if (call.count > INT_MAX - kLooked || call.width > (INT_MAX - kThreads) / kRowsOfBlock)
        return cudaErrorInvalidValue;
    const auto blocks = static_cast<unsigned>((call.vocabulary + kRowsOfBlock - 1) / kRowsOfBlock);
    return withPieces(call.width % 4 == 0, [&](auto n) {
        embeddingGradientKernel<n.value><<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(call);
        return cudaGetLastError();
    });
}

}  // namespace warpglass::kernels
