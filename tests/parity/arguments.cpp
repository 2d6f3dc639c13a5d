// The options that the comparison needs, in place of the project's argument parser:
//   speculative-simple TARGET DRAFT TYPE N_MAX N_PREDICT THREADS N_CTX PROMPT_FILE
// DRAFT is - for algorithms without a file of their own. Greedy, prompt in one batch.
#include "arg.h"
#include "common.h"
#include "log.h"
#include "speculative.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

bool common_params_parse(int argc, char ** argv, common_params & params, llama_example, void (*)(int, char **)) {
    if (argc != 9) {
        return false;
    }
    // The counts come last and are written by another thread.
    std::atexit([] { common_log_pause(common_log_main()); });
    auto & spec = params.speculative;
    params.model.path = argv[1];
    spec.draft.mparams.path = std::string(argv[2]) == "-" ? "" : argv[2];
    spec.types = { common_speculative_type_from_name(argv[3]) };
    spec.draft.n_max = std::atoi(argv[4]);
    params.n_predict = std::atoi(argv[5]);
    params.cpuparams.n_threads = std::atoi(argv[6]);
    params.n_ctx = params.n_batch = params.n_ubatch = std::atoi(argv[7]);
    std::ifstream file(argv[8], std::ios::binary);
    params.prompt.assign(std::istreambuf_iterator<char>(file), {});

    params.sampling.temp = 0.0f;
    params.sampling.samplers = { COMMON_SAMPLER_TYPE_TEMPERATURE };
    params.fit_params = false;
    params.warmup = false;
    postprocess_cpu_params(params.cpuparams, nullptr);
    postprocess_cpu_params(params.cpuparams_batch, &params.cpuparams);
    postprocess_cpu_params(spec.draft.cpuparams, &params.cpuparams);
    postprocess_cpu_params(spec.draft.cpuparams_batch, &params.cpuparams_batch);
    return true;
}
